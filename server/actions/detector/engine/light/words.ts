// Word lists of the stylometric features. Plain data.

export const FUNCTION_WORDS = (
  "the of and to a in that is was for it with as on be at by this had not are but from or have an they which one you were " +
  "all her she there would their we him been has when who will no more if out so up what about into than them can only " +
  "some could time these two may then do first any my now such like our over me even most after also did many must before " +
  "through where much your well should because each just those how too here while however within between both under never"
).split(" ");

export const CONNECTORS = (
  "additionally furthermore moreover however therefore thus consequently overall ultimately nevertheless nonetheless " +
  "meanwhile finally firstly secondly lastly similarly likewise instead hence accordingly notably importantly"
).split(" ");

export const HEDGES =
  "maybe perhaps probably actually really quite rather pretty kinda basically honestly guess think seems".split(" ");

export const FIRST_PERSON = "i me my mine myself i'm i've i'd i'll".split(" ");
export const SECOND_PERSON = "you your yours yourself you're you've you'll you'd".split(" ");
export const PLURAL_PERSON = "we us our ours ourselves we're we've we'll".split(" ");
export const THIRD_PERSON = "he him his she her hers they them their theirs it its".split(" ");

export const SUFFIXES = "tion ing ed ly ity ment ness ive ous al ance ence ize ise able ful est er es".split(" ");

export const MARKS = ', . ; : ! ? ( " - _ ^ / & % $ ='.split(" ");
