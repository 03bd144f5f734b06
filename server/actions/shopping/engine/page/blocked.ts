// Recognises pages that stand in for the product page: bot walls, captchas, soft 404s. Runs before any price is read.

/** `gone` may still be a product called so (a Peugeot 404): with a price of its own it is believed. */
export type PageFault = "blocked" | "gone" | "absent" | "not_html" | null;

const BLOCKED_TITLE =
  /access denied|attention required|just a moment|are you (?:a )?(?:human|robot)|robot check|bot verification|captcha|security check|pardon our interruption|request blocked|403 forbidden|forbidden|verify you are human|unusual traffic|please wait\.\.\.|ddos|checking your browser|something went wrong on our end|too many requests|zugriff verweigert|accès refusé|acceso denegado/i;
const BLOCKED_BODY =
  /cf-browser-verification|cf_chl_|challenge-platform|px-captcha|_pxCaptcha|g-recaptcha|h-captcha|geo\.captcha-delivery|incapsula|distil_r_captcha|datadome|errors\/validateCaptcha|id="challenge-form"|Enable JavaScript and cookies to continue|Request unsuccessful/i;
const GONE_TITLE =
  /(?:^|error |fehler |erreur )404\b(?! \w)|page not found|^not found|seite nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|pagina non trovata|página não encontrada|pagina niet gevonden|strona nie (?:istnieje|znaleziona)|stránka (?:nenalezena|nebyla)|sidan (?:hittades inte|finns inte)|siden (?:ble ikke|blev ikke|findes)|sivua ei löyt|страница не найдена|oldal nem található|ページが見つかりません|页面不存在|找不到/i;

export function pageFault(status: number, contentType: string | null, source: string, title: string): PageFault {
  if (status === 404 || status === 410) return "absent";
  if (status === 401 || status === 403 || status === 407 || status === 429 || status === 451) return "blocked";
  if (contentType && !/html|xml|text\/plain/i.test(contentType)) return "not_html";
  if (title.length < 120 && BLOCKED_TITLE.test(title) && source.length < 200_000) return "blocked";
  if (source.length < 30_000 && BLOCKED_BODY.test(source)) return "blocked";
  if (title.length < 120 && GONE_TITLE.test(title)) return "gone";
  return null;
}
