// What recipients are told, in the languages of the tracking page. {s} is the sender's name, {t} the time. Data and look-up.
import type { NOTICE_EVENTS } from "../../contract/notices.ts";

const KEYS = ["on_its_way", "near", "delivered", "failed", "someone", "stop"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

const LINES: Record<string, string> = {
  en: "Your delivery from {s} is on its way. Expected at {t}.|Your delivery from {s} is almost there.|Your delivery from {s} has arrived.|Your delivery from {s} could not be delivered.|the sender|No more messages about deliveries",
  de: "Ihre Lieferung von {s} ist unterwegs. Erwartet um {t}.|Ihre Lieferung von {s} ist gleich da.|Ihre Lieferung von {s} ist angekommen.|Ihre Lieferung von {s} konnte nicht zugestellt werden.|Absender|Keine Nachrichten mehr zu Lieferungen",
  fr: "Votre livraison de {s} est en route. Arrivée prévue à {t}.|Votre livraison de {s} est presque arrivée.|Votre livraison de {s} est arrivée.|Votre livraison de {s} n’a pas pu être remise.|l’expéditeur|Ne plus recevoir de messages sur les livraisons",
  es: "Su entrega de {s} está en camino. Llegada prevista a las {t}.|Su entrega de {s} está a punto de llegar.|Su entrega de {s} ha llegado.|No se pudo entregar su envío de {s}.|el remitente|No recibir más mensajes sobre entregas",
  it: "La consegna di {s} è in arrivo. Prevista alle {t}.|La consegna di {s} è quasi arrivata.|La consegna di {s} è arrivata.|La consegna di {s} non è riuscita.|mittente|Non ricevere più messaggi sulle consegne",
  pt: "A sua entrega de {s} está a caminho. Prevista para as {t}.|A sua entrega de {s} está quase a chegar.|A sua entrega de {s} chegou.|Não foi possível entregar a encomenda de {s}.|o remetente|Não receber mais mensagens sobre entregas",
  nl: "Uw bezorging van {s} is onderweg. Verwacht om {t}.|Uw bezorging van {s} is er bijna.|Uw bezorging van {s} is aangekomen.|Uw bezorging van {s} kon niet worden bezorgd.|de afzender|Geen berichten meer over bezorgingen",
  pl: "Przesyłka od {s} jest w drodze. Spodziewana o {t}.|Przesyłka od {s} jest już blisko.|Przesyłka od {s} dotarła.|Nie udało się dostarczyć przesyłki od {s}.|nadawcy|Nie chcę więcej wiadomości o przesyłkach",
  tr: "{s} teslimatınız yolda. Beklenen saat {t}.|{s} teslimatınız neredeyse geldi.|{s} teslimatınız ulaştı.|{s} teslimatınız yapılamadı.|Gönderici|Teslimatlar hakkında başka mesaj alma",
  ja: "{s} からのお荷物が配達中です。到着予定 {t}。|{s} からのお荷物がまもなく到着します。|{s} からのお荷物が届きました。|{s} からのお荷物を配達できませんでした。|差出人|配達に関する通知を停止する",
  zh: "来自 {s} 的配送正在途中，预计 {t} 到达。|来自 {s} 的配送即将到达。|来自 {s} 的配送已送达。|来自 {s} 的配送未能送达。|寄件人|不再接收配送消息",
  ar: "التوصيل من {s} في الطريق. متوقع عند {t}.|التوصيل من {s} على وشك الوصول.|وصل التوصيل من {s}.|تعذر تسليم التوصيل من {s}.|المرسل|إيقاف الرسائل عن عمليات التوصيل",
};

type Texts = Record<(typeof KEYS)[number], string>;

const BY_LANGUAGE = new Map(
  Object.entries(LINES).map(([language, line]) => {
    const parts = line.split("|");
    return [language, Object.fromEntries(KEYS.map((key, i) => [key, parts[i]])) as Texts];
  }),
);

/** One sentence about one delivery. */
export function noticeText(
  language: string,
  event: NoticeEvent,
  about: { sender: string | null; time: string },
): string {
  const texts = textsOf(language);
  return texts[event].replace("{s}", about.sender ?? texts.someone).replace("{t}", about.time);
}

export const textsOf = (language: string): Texts => BY_LANGUAGE.get(language) ?? BY_LANGUAGE.get("en")!;
