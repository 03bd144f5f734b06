// Which kinds of attributes an element has, as bits: so that most elements need not be looked at again.

export const HAS_ITEM = 1;
export const HAS_RDFA = 2;
export const HAS_CLASS = 4;
export const HAS_HIDDEN = 8;
export const HAS_DATA = 16;
export const HAS_ID = 32;

/** Which kind of attribute begins here, judged by its first letters. */
export function flagOf(source: string, i: number, c: number): number {
  switch (c) {
    case 99:
      return (source.charCodeAt(i + 1) | 32) === 108 ? HAS_CLASS : 0;
    case 105:
      if ((source.charCodeAt(i + 1) | 32) === 116) return HAS_ITEM;
      return (source.charCodeAt(i + 1) | 32) === 100 && !(source.charCodeAt(i + 2) > 63) ? HAS_ID : 0;
    case 112:
      return (source.charCodeAt(i + 1) | 32) === 114 ? HAS_RDFA : 0;
    case 116:
      return (source.charCodeAt(i + 1) | 32) === 121 && (source.charCodeAt(i + 4) | 32) === 111 ? HAS_RDFA : 0;
    case 118:
      return (source.charCodeAt(i + 1) | 32) === 111 ? HAS_RDFA : 0;
    case 104:
      return (source.charCodeAt(i + 1) | 32) === 105 ? HAS_HIDDEN : 0;
    case 115:
      return (source.charCodeAt(i + 1) | 32) === 116 ? HAS_HIDDEN : 0;
    case 97:
      return source.charCodeAt(i + 4) === 45 ? HAS_HIDDEN : 0;
    case 100:
      return (source.charCodeAt(i + 1) | 32) === 97 && source.charCodeAt(i + 4) === 45 ? HAS_DATA : 0;
    default:
      return 0;
  }
}
