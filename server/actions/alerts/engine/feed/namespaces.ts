// Which vocabulary a namespace address means, whatever prefix a feed gives it. Data and one look-up.

const KNOWN: Record<string, string> = {
  "": "",
  "http://backend.userland.com/rss": "", "http://backend.userland.com/rss2": "", "http://backend.userland.com/rss2.1": "",
  "http://blogs.law.harvard.edu/tech/rss": "", "http://purl.org/rss/1.0/": "", "http://purl.org/net/rss1.1#": "",
  "http://my.netscape.com/rdf/simple/0.9/": "", "http://channel.netscape.com/rdf/simple/0.9/": "",
  "http://example.com/newformat#": "", "http://example.com/necho": "", "http://purl.org/echo/": "",
  "uri/of/echo/namespace#": "", "http://purl.org/pie/": "", "http://purl.org/atom/ns#": "",
  "http://www.w3.org/2005/atom": "", "http://purl.org/rss/1.0/modules/rss091#": "", "http://my.netscape.com/publish/formats/rss-0.91.dtd": "",
  "http://webns.net/mvcb/": "admin", "http://purl.org/rss/1.0/modules/aggregation/": "ag",
  "http://purl.org/rss/1.0/modules/annotate/": "annotate", "http://media.tangent.org/rss/1.0/": "audio",
  "http://backend.userland.com/blogchannelmodule": "blogchannel", "http://web.resource.org/cc/": "cc",
  "http://backend.userland.com/creativecommonsrssmodule": "creativecommons",
  "http://purl.org/rss/1.0/modules/company": "co", "http://purl.org/rss/1.0/modules/content/": "content",
  "http://purl.org/dc/elements/1.1/": "dc", "http://purl.org/dc/elements/1.0/": "dc", "http://purl.org/dc/terms/": "dcterms",
  "http://purl.org/rss/1.0/modules/email/": "email", "http://purl.org/rss/1.0/modules/event/": "ev",
  "http://rssnamespace.org/feedburner/ext/1.0": "feedburner", "http://xmlns.com/foaf/0.1/": "foaf",
  "http://www.w3.org/2003/01/geo/wgs84_pos#": "geo", "http://www.georss.org/georss": "georss", "http://www.opengis.net/gml": "gml",
  "http://postneo.com/icbm/": "icbm", "http://purl.org/rss/1.0/modules/image/": "image",
  "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes", "http://example.com/dtds/podcast-1.0.dtd": "itunes",
  "http://purl.org/rss/1.0/modules/link/": "l", "http://search.yahoo.com/mrss": "media", "http://search.yahoo.com/mrss/": "media",
  "http://madskills.com/public/xml/rss/module/pingback/": "pingback", "http://prismstandard.org/namespaces/1.2/basic/": "prism",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf", "http://www.w3.org/2000/01/rdf-schema#": "rdfs",
  "http://purl.org/rss/1.0/modules/reference/": "ref", "http://purl.org/rss/1.0/modules/search/": "search",
  "http://purl.org/rss/1.0/modules/slash/": "slash", "http://schemas.xmlsoap.org/soap/envelope/": "soap",
  "http://purl.org/rss/1.0/modules/servicestatus/": "ss", "http://hacks.benhammersley.com/rss/streaming/": "str",
  "http://purl.org/rss/1.0/modules/subscription/": "sub", "http://purl.org/rss/1.0/modules/syndication/": "sy",
  "http://purl.org/rss/1.0/modules/taxonomy/": "taxo", "http://purl.org/syndication/thread/1.0": "thr",
  "http://purl.org/rss/1.0/modules/threading/": "thr", "http://purl.org/rss/1.0/modules/textinput/": "ti",
  "http://madskills.com/public/xml/rss/module/trackback/": "trackback", "http://wellformedweb.org/commentapi/": "wfw",
  "http://purl.org/rss/1.0/modules/wiki/": "wiki", "http://www.w3.org/1999/xhtml": "xhtml", "http://www.w3.org/1999/xlink": "xlink",
  "http://www.w3.org/xml/1998/namespace": "xml", "http://podlove.org/simple-chapters": "psc",
  "http://www.w3.org/2000/svg": "svg", "http://www.w3.org/1998/math/mathml": "math",
};

/** An unknown address keeps the prefix it was given: a module's own <x:title> is not the title. */
export function canonicalPrefix(uri: string, prefix: string): string {
  const lower = uri.toLowerCase();
  const known = KNOWN[lower] ?? (lower.includes("backend.userland.com/rss") ? "" : undefined);
  return uri === "" ? prefix.toLowerCase() : (known ?? prefix.toLowerCase());
}
