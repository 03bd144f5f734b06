// The elements, attributes and URL schemes that the sanitiser keeps. Data only.

const set = (words: string) => new Set(words.split(/\s+/));

export const ELEMENTS = set(`a abbr acronym address area article aside audio b big blockquote br button canvas caption
  center cite code col colgroup command datagrid datalist dd del details dfn dialog dir div dl dt em fieldset figcaption
  figure font footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd keygen label legend li m map menu meter multicol
  nav nextid noscript ol optgroup option output p pre progress q s samp section select small sound source spacer span
  strike strong sub sup table tbody td textarea tfoot th thead time tr tt u ul var video`);

export const VOID =
  set(`area base basefont br col command embed frame hr img input isindex keygen link meta param source
  track wbr`);

/** Gone together with what is inside them. */
export const MUTED = set("script applet style");

export const ATTRIBUTES =
  set(`abbr accept accept-charset accesskey action align alt autocomplete axis background bgcolor
  border cellpadding cellspacing char charoff charset checked cite class clear color cols colspan compact controls coords
  datetime default dir disabled enctype end face for form frame headers height high href hreflang hspace icon id ismap
  label lang list longdesc loop loopend loopstart low max maxlength media method min multiple name nohref noshade nowrap
  open optimum pattern poster preload radiogroup readonly rel required rev rows rowspan rules scope selected shape size
  span src start step style summary tabindex target title type usemap valign value variable volume vspace width wrap
  xml:lang`);

export const URLS = set("href src cite action longdesc background poster usemap xlink:href");
export const SCHEMES = set(
  "http https ftp ftps mailto tel sms news nntp irc ircs xmpp feed magnet geo data:image webcal urn tag",
);

export const SVG_NS = "http://www.w3.org/2000/svg";
export const MATH_NS = "http://www.w3.org/1998/Math/MathML";

const SVG_ELEMENT_NAMES = [
  ...set(`a animate animateColor animateMotion animateTransform circle defs desc ellipse foreignObject
  font-face font-face-name font-face-src g glyph hkern linearGradient line marker metadata missing-glyph mpath path polygon
  polyline radialGradient rect set stop svg switch text title tspan use`),
];
const SVG_ATTRIBUTE_NAMES = [
  ...set(`accent-height accumulate additive ascent attributeName attributeType baseProfile bbox begin
  by calcMode cap-height class color color-rendering content cx cy d dx dy descent display dur end fill fill-opacity
  fill-rule font-family font-size font-stretch font-style font-variant font-weight from fx fy g1 g2 glyph-name
  gradientUnits hanging height horiz-adv-x horiz-origin-x id ideographic k keyPoints keySplines keyTimes lang marker-end
  marker-mid marker-start markerHeight markerUnits markerWidth mathematical max min name offset opacity orient origin
  overline-position overline-thickness panose-1 path pathLength points preserveAspectRatio r refX refY repeatCount
  repeatDur requiredExtensions requiredFeatures restart rotate rx ry slope stemh stemv stop-color stop-opacity stroke
  stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  systemLanguage target text-anchor to transform type u1 u2 unicode unicode-range units-per-em values version viewBox
  visibility width widths x x-height x1 x2 xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title
  xlink:type xml:base xml:lang xml:space xmlns xmlns:xlink y y1 y2 zoomAndPan`),
];

export const SVG_ATTRIBUTES = new Set(SVG_ATTRIBUTE_NAMES.map((a) => a.toLowerCase()));
/** Names that keep their capitals. */
export const SVG_NAMES = new Map([...SVG_ELEMENT_NAMES, ...SVG_ATTRIBUTE_NAMES].map((n) => [n.toLowerCase(), n]));
const SVG_BY_LOWER_NAME = new Map(SVG_ELEMENT_NAMES.map((e) => [e.toLowerCase(), e]));

export function svgName(tag: string): string | undefined {
  return SVG_BY_LOWER_NAME.get(tag);
}

export const MATH =
  set(`annotation annotation-xml maction maligngroup malignmark math menclose merror mfenced mfrac mglyph
  mi mlabeledtr mlongdiv mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup
  msline mspace msqrt msrow mstack mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics`);

export const MATH_ATTRIBUTES = set(`accent accentunder actiontype align alignmentscope altimg alttext bevelled charalign
  close columnalign columnlines columnspacing columnspan columnwidth crossout decimalpoint denomalign depth dir display
  displaystyle encoding equalcolumns equalrows fence form fontstyle fontweight frame framespacing groupalign height href id
  indentalign infixlinebreakstyle largeop length linebreak linethickness location longdivstyle lquote lspace mathbackground
  mathcolor mathsize mathvariant maxsize minlabelspacing minsize movablelimits name notation numalign open order other
  overflow position rowalign rowlines rowspacing rowspan rquote rspace scriptlevel selection separator separators shift
  side src stackalign stretchy subscriptshift superscriptshift symmetric voffset width xlink:href xlink:show xlink:type
  xmlns xmlns:xlink`);
