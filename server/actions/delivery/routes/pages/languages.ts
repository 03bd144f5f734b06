// The words of the tracking page in twelve languages. One line a language, the words in the order of KEYS.
import { STATES } from "../../contract/states.ts";

const KEYS = [
  ...STATES,
  "delivery",
  "simulated",
  "expected",
  "between",
  "arrived",
  "pin",
  "from",
  "to",
  "courier",
  "history",
  "no_map",
  "rate",
  "thanks",
  "comment",
  "send",
  "instructions",
  "save",
  "move_pin",
  "tap_map",
  "photo",
  "not_found",
  "not_found_hint",
] as const;
type Key = (typeof KEYS)[number];
export type Words = Record<Key, string>;

const LINES: Record<string, string> = {
  en: "Scheduled|A courier has it|On the way to the pickup|At the pickup|Picked up|On the way to you|At the door|Delivered|On the way back|Back at the sender|Could not be delivered|Canceled|Delivery|Simulated delivery|Expected|Most likely between {a} and {b}|Arrived {a}|Give the courier this pin:|From|To|Courier|So far|No map: the addresses could not be placed.|How was it?|Thank you for your rating.|Anything to add?|Send|Instructions for the courier|Save|The pin is in the wrong place|Tap the map where your door is.|Photo of the delivery|This delivery is not here|The link may be old or incomplete. Ask the sender for a new one.",
  de: "Geplant|Ein Kurier hat sie|Unterwegs zur Abholung|An der Abholung|Abgeholt|Unterwegs zu Ihnen|An der Tür|Zugestellt|Auf dem Rückweg|Zurück beim Absender|Nicht zustellbar|Storniert|Lieferung|Simulierte Lieferung|Erwartet|Wahrscheinlich zwischen {a} und {b}|Angekommen {a}|Geben Sie dem Kurier diese PIN:|Von|Nach|Kurier|Bisher|Keine Karte: die Adressen wurden nicht gefunden.|Wie war es?|Danke für Ihre Bewertung.|Noch etwas?|Senden|Hinweise für den Kurier|Speichern|Der Punkt liegt falsch|Tippen Sie auf der Karte auf Ihre Tür.|Foto der Zustellung|Diese Lieferung gibt es hier nicht|Der Link ist alt oder unvollständig. Fragen Sie den Absender nach einem neuen.",
  fr: "Planifiée|Un coursier l’a prise|En route vers l’enlèvement|À l’enlèvement|Enlevée|En route vers vous|À la porte|Livrée|Sur le retour|De retour chez l’expéditeur|Non livrable|Annulée|Livraison|Livraison simulée|Prévue|Probablement entre {a} et {b}|Arrivée {a}|Donnez ce code au coursier :|De|À|Coursier|Jusqu’ici|Pas de carte : adresses introuvables.|Comment était-ce ?|Merci pour votre note.|Autre chose ?|Envoyer|Instructions pour le coursier|Enregistrer|Le point est mal placé|Touchez votre porte sur la carte.|Photo de la livraison|Cette livraison est introuvable|Le lien est ancien ou incomplet. Demandez-en un nouveau à l’expéditeur.",
  es: "Programada|La tiene un repartidor|De camino a la recogida|En la recogida|Recogida|De camino a usted|En la puerta|Entregada|De vuelta|Devuelta al remitente|No se pudo entregar|Cancelada|Entrega|Entrega simulada|Prevista|Probablemente entre {a} y {b}|Llegó {a}|Dé este PIN al repartidor:|De|A|Repartidor|Hasta ahora|Sin mapa: no se encontraron las direcciones.|¿Qué tal fue?|Gracias por su valoración.|¿Algo más?|Enviar|Instrucciones para el repartidor|Guardar|El punto está mal|Toque su puerta en el mapa.|Foto de la entrega|Esta entrega no está aquí|El enlace es antiguo o incompleto. Pida uno nuevo al remitente.",
  it: "Pianificata|L’ha presa un corriere|In viaggio verso il ritiro|Al ritiro|Ritirata|In viaggio verso di lei|Alla porta|Consegnata|Di ritorno|Di nuovo dal mittente|Non consegnabile|Annullata|Consegna|Consegna simulata|Prevista|Probabilmente tra {a} e {b}|Arrivata {a}|Dia questo PIN al corriere:|Da|A|Corriere|Finora|Nessuna mappa: indirizzi non trovati.|Com’è andata?|Grazie per la valutazione.|Altro da dire?|Invia|Istruzioni per il corriere|Salva|Il punto è sbagliato|Tocchi la sua porta sulla mappa.|Foto della consegna|Questa consegna non è qui|Il link è vecchio o incompleto. Ne chieda uno nuovo al mittente.",
  pt: "Agendada|Está com um estafeta|A caminho da recolha|Na recolha|Recolhida|A caminho de si|À porta|Entregue|No regresso|De volta ao remetente|Não foi possível entregar|Cancelada|Entrega|Entrega simulada|Prevista|Provavelmente entre {a} e {b}|Chegou {a}|Dê este PIN ao estafeta:|De|Para|Estafeta|Até agora|Sem mapa: endereços não encontrados.|Como correu?|Obrigado pela avaliação.|Algo mais?|Enviar|Instruções para o estafeta|Guardar|O ponto está errado|Toque na sua porta no mapa.|Foto da entrega|Esta entrega não está aqui|A ligação é antiga ou incompleta. Peça uma nova ao remetente.",
  nl: "Gepland|Een koerier heeft het|Onderweg naar de ophaalplek|Op de ophaalplek|Opgehaald|Onderweg naar u|Aan de deur|Bezorgd|Op de terugweg|Terug bij de afzender|Niet bezorgd|Geannuleerd|Bezorging|Gesimuleerde bezorging|Verwacht|Waarschijnlijk tussen {a} en {b}|Aangekomen {a}|Geef de koerier deze pincode:|Van|Naar|Koerier|Tot nu toe|Geen kaart: adressen niet gevonden.|Hoe was het?|Bedankt voor uw beoordeling.|Nog iets?|Versturen|Aanwijzingen voor de koerier|Opslaan|De stip staat verkeerd|Tik op de kaart op uw deur.|Foto van de bezorging|Deze bezorging is hier niet|De link is oud of onvolledig. Vraag de afzender om een nieuwe.",
  pl: "Zaplanowana|Ma ją kurier|W drodze po odbiór|W miejscu odbioru|Odebrana|W drodze do Ciebie|Pod drzwiami|Dostarczona|W drodze powrotnej|Wróciła do nadawcy|Nie dostarczono|Anulowana|Przesyłka|Symulowana przesyłka|Spodziewana|Najpewniej między {a} a {b}|Dotarła {a}|Podaj kurierowi ten PIN:|Od|Do|Kurier|Dotychczas|Brak mapy: nie znaleziono adresów.|Jak było?|Dziękujemy za ocenę.|Coś jeszcze?|Wyślij|Wskazówki dla kuriera|Zapisz|Punkt jest w złym miejscu|Dotknij swoich drzwi na mapie.|Zdjęcie dostawy|Nie ma tu tej przesyłki|Link jest stary lub niepełny. Poproś nadawcę o nowy.",
  tr: "Planlandı|Bir kurye aldı|Alış noktasına gidiyor|Alış noktasında|Alındı|Size geliyor|Kapıda|Teslim edildi|Geri dönüyor|Göndericiye döndü|Teslim edilemedi|İptal edildi|Teslimat|Simüle teslimat|Beklenen|Büyük olasılıkla {a} ile {b} arasında|Varış {a}|Kuryeye bu PIN’i verin:|Nereden|Nereye|Kurye|Şimdiye kadar|Harita yok: adresler bulunamadı.|Nasıldı?|Değerlendirmeniz için teşekkürler.|Başka bir şey?|Gönder|Kurye için talimatlar|Kaydet|Nokta yanlış yerde|Haritada kapınıza dokunun.|Teslimat fotoğrafı|Bu teslimat burada yok|Bağlantı eski veya eksik. Göndericiden yenisini isteyin.",
  ja: "予約済み|配達員が担当中|集荷に向かっています|集荷場所に到着|集荷済み|お届け先へ移動中|玄関に到着|配達完了|返送中|差出人に返送済み|配達できませんでした|キャンセル済み|配達|シミュレーション配達|到着予定|おそらく {a} から {b} の間|到着 {a}|配達員にこの PIN を伝えてください:|集荷元|お届け先|配達員|これまでの経過|地図なし: 住所が見つかりません。|いかがでしたか?|評価ありがとうございます。|コメント|送信|配達員への指示|保存|ピンの位置が違います|地図で玄関の位置をタップしてください。|配達の写真|この配達はありません|リンクが古いか不完全です。差出人に新しいリンクをお求めください。",
  zh: "已安排|快递员已接单|正前往取件|已到取件点|已取件|正送往您处|已到门口|已送达|正在退回|已退回寄件人|无法送达|已取消|配送|模拟配送|预计|很可能在 {a} 到 {b} 之间|送达于 {a}|请把此 PIN 告诉快递员：|从|到|快递员|进度|没有地图：无法定位地址。|体验如何？|感谢您的评价。|还有什么要说？|发送|给快递员的说明|保存|位置标记不对|请在地图上点按您的门口。|送达照片|此配送不存在|链接已过期或不完整，请向寄件人索取新链接。",
  ar: "مجدول|مع مندوب التوصيل|في الطريق إلى الاستلام|عند الاستلام|تم الاستلام|في الطريق إليك|عند الباب|تم التسليم|في طريق العودة|عاد إلى المرسل|تعذر التسليم|ملغى|توصيل|توصيل تجريبي|متوقع|على الأرجح بين {a} و{b}|وصل {a}|أعط المندوب هذا الرمز:|من|إلى|المندوب|حتى الآن|لا خريطة: تعذر تحديد العناوين.|كيف كانت التجربة؟|شكرًا على تقييمك.|أي إضافة؟|إرسال|تعليمات للمندوب|حفظ|الدبوس في مكان خاطئ|انقر على موقع بابك في الخريطة.|صورة التسليم|هذا التوصيل غير موجود|الرابط قديم أو غير مكتمل. اطلب رابطًا جديدًا من المرسل.",
};

export const LANGUAGES = Object.keys(LINES);

const BY_LANGUAGE = new Map(
  Object.entries(LINES).map(([language, line]) => {
    const words = line.split("|");
    return [language, Object.fromEntries(KEYS.map((key, i) => [key, words[i]])) as Words];
  }),
);

export const wordsOf = (language: string): Words => BY_LANGUAGE.get(language)!;
export const directionOf = (language: string): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr");

/** The first language of an Accept-Language header that we have; English otherwise. */
export function chooseLanguage(asked: string | null): string {
  const wanted = (asked ?? "")
    .split(",")
    .map((part) => {
      const [tag, ...rest] = part.trim().toLowerCase().split(";");
      const quality = Number(/q=([\d.]+)/.exec(rest.join(";"))?.[1] ?? 1);
      return { language: tag.split("-")[0], quality };
    })
    .sort((a, b) => b.quality - a.quality);
  return wanted.find(({ language }) => BY_LANGUAGE.has(language))?.language ?? "en";
}

/** A time as people at that place read it, in their language; the day only when it is another one. */
export function timeText(iso: string, timeZone: string | null, language: string, now: number): string {
  const zone = timeZone ?? "UTC";
  const day = (ms: number) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(ms);
  const at = Date.parse(iso);
  const otherDay = day(at) !== day(now) ? ({ weekday: "short", day: "numeric", month: "short" } as const) : {};
  return new Intl.DateTimeFormat(language, { ...otherDay, hour: "numeric", minute: "2-digit", timeZone: zone }).format(
    at,
  );
}
