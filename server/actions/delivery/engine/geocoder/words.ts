// The words of addresses that are not names of places: street types, units, fillers. Data, no logic beyond look-up.

const set = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** Written after the name of a street: "Miami Lakes Dr". */
export const streetAfter = set(`
  street st str avenue ave av boulevard blvd bvd road rd drive dr lane ln court ct circle cir place pl plaza plz terrace terr ter
  trail trl parkway pkwy pky highway hwy way wy square sq loop lp causeway cswy expressway expy freeway fwy turnpike tpke tpk
  pike alley aly crescent cres close row mews gardens gdns grove grv walk path run pass crossing xing point pt extension ext
  strasse straat gasse allee platz weg ring damm ufer gade vej gata gatan vagen vag utca ut ter ulica ul aleja plac
  bypass esplanade promenade quay wharf yard route rte
`);

/** Written before the name of a street: "rue de Cambrai". */
export const streetBefore = set(`
  rue avenue av boulevard bd blvd bvd chemin che impasse imp allee allees place pl square quai route rte cours passage sentier
  ruelle voie faubourg fbg esplanade promenade rond montee cite residence lotissement hameau
  calle avenida avda paseo plaza carrer camino carretera ronda travesia rua travessa largo praca estrada rodovia alameda
  via viale corso piazza piazzale vicolo largo strada contrada
  ulica ul aleja al plac os ulitsa prospekt jalan jl jln lorong highway hwy interstate sr us cr fm county state
`);

/** A part of a building; what follows it is a number or a letter. */
export const unitWords = set(`
  suite ste apt apartment unit bldg building floor flr fl room rm lot trlr trailer space spc dept pobox box bp cs cedex etage bat
  batiment escalier appt
`);

/** Fillers that say nothing about where. */
export const fillers = set(`
  the of in at on near by to from and near around close next opposite behind beside outside inside off toward towards
  de la le les du des d l en sur sous lez les a au aux et pres proche chez
  der die das den dem am an im in bei beim zum zur von und auf nahe
  el los las del y e da do dos das di della delle dei degli il lo gli na no nos nas cerca
  van ter ten te op bij aan w pod nad
  downtown uptown midtown central centre center centro zentrum centrum city ville town village stadt old new area district
  region greater metro metropolitan neighborhood neighbourhood quarter quartier somewhere please deliver pickup dropoff
  home house office work flat apartment shop store warehouse
  north south east west n s e w ne nw se sw nord sud est ouest northeast northwest southeast southwest
`);

/** Words that put the place meant beside the place named. */
export const nearWords = set(
  "near around close opposite behind beside outside off toward towards pres proche nahe bei cerca next",
);

/** What an institution is called: the words around it name no place. */
export const venueWords = set(`
  museum musee museo gallery galerie theatre theater theatro cinema school ecole college lycee university universite universitat
  hospital hopital clinic clinique church eglise cathedral cathedrale abbaye chapelle temple mosque mosquee basilique castle
  chateau schloss palace palais palazzo station gare bahnhof hauptbahnhof hbf airport aeroport flughafen hotel auberge
  restaurant cafe bar bibliotheque library mairie rathaus park parc jardin garden stadium stade piscine cimetiere monument
  memorial tower tour bridge pont zoo aquarium centre center elementary middle high transit port marche market mall library
  grotte fort
`);

/** Short forms inside the names of places, with the long form both sides of a comparison use. */
export const longForm: Record<string, string> = {
  st: "saint",
  sankt: "saint",
  ste: "sainte",
  ft: "fort",
  mt: "mount",
  mtn: "mountain",
  bch: "beach",
  hts: "heights",
  spgs: "springs",
  spg: "springs",
  vlg: "village",
  jct: "junction",
  hbr: "harbor",
  harbour: "harbor",
  isl: "island",
  lk: "lake",
  pk: "park",
  cty: "city",
  twp: "township",
  vly: "valley",
  fls: "falls",
  gdns: "gardens",
  shrs: "shores",
  lks: "lakes",
};

/** Short forms of street words. */
export const longStreet: Record<string, string> = {
  st: "street",
  str: "street",
  strasse: "street",
  ave: "avenue",
  av: "avenue",
  blvd: "boulevard",
  bvd: "boulevard",
  bd: "boulevard",
  rd: "road",
  dr: "drive",
  ln: "lane",
  ct: "court",
  cir: "circle",
  pl: "place",
  plz: "plaza",
  ter: "terrace",
  terr: "terrace",
  trl: "trail",
  pkwy: "parkway",
  pky: "parkway",
  hwy: "highway",
  wy: "way",
  sq: "square",
  lp: "loop",
  cswy: "causeway",
  expy: "expressway",
  fwy: "freeway",
  tpke: "turnpike",
  n: "north",
  s: "south",
  e: "east",
  w: "west",
  ne: "northeast",
  nw: "northwest",
  se: "southeast",
  sw: "southwest",
  che: "chemin",
  imp: "impasse",
  rte: "route",
  fbg: "faubourg",
  avda: "avenida",
  all: "allee",
  ul: "ulica",
  al: "aleja",
  gdns: "gardens",
  sr: "state road",
  cr: "county road",
  ctra: "carretera",
};

const SHORT_WORD = new RegExp(`\\b(${Object.keys(longForm).join("|")})\\b`);

/** The name of a place as an index key. */
export function canonName(folded: string): string {
  if (!folded.includes(" ") || !SHORT_WORD.test(folded)) return folded;
  return folded
    .split(" ")
    .map((word) => longForm[word] ?? word)
    .join(" ");
}
