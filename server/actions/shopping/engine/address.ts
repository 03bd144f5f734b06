// One page, one address: what a link carries for advertisers' sake is left out, so that the same page is one page.

const NOISE =
  /^(?:utm_\w+|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|igshid|mc_cid|mc_eid|_ga|_gl|ref_?|ref_src|referrer|affiliate|aff_?id|a_aid|a_bid|spm|scm|trk|cmpid|campaign_?id|zanpid|awc|irclickid|click_?id|srsltid|ttclid|_hs\w+|vero_id|s_kwcid|ef_id|cid)$/i;

export interface PageAddress {
  /** What two addresses of one page have in common. */
  key: string;
  /** What is fetched. */
  url: string;
  host: string;
}

export function pageAddress(text: string): PageAddress {
  const url = new URL(text);
  url.hash = "";
  for (const name of [...url.searchParams.keys()]) if (NOISE.test(name)) url.searchParams.delete(name);
  const key = new URL(url);
  key.protocol = "https:";
  key.searchParams.sort();
  key.hostname = key.hostname.replace(/^www\./, "").replace(/\.$/, "");
  if (key.pathname.length > 1) key.pathname = key.pathname.replace(/\/+$/, "") || "/";
  return { key: key.href, url: url.href, host: url.host };
}
