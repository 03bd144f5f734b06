// The table of currencies: complete for ISO 4217, with the signs and words of small currencies; units are none.
import { expect, test } from "bun:test";
import { DECIMALS_OF } from "./currencies.ts";
import { parsePrice } from "./parse.ts";

/** ISO 4217 list one as of 2026, without test codes and bond units. */
const ISO_4217 =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XDR XOF XPF YER ZAR ZMW ZWG".split(
    " ",
  );
const THREE = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];
const NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XDR XOF XPF".split(" ");
const FOUR = ["CLF", "UYW"];

test("every code of ISO 4217 is read beside a number, on either side, with its decimals", () => {
  for (const code of ISO_4217) {
    expect([code, parsePrice(`1250 ${code}`).currency, parsePrice(`${code} 1250`).currency]).toEqual([
      code,
      code,
      code,
    ]);
    const decimals = THREE.includes(code) ? 3 : NONE.includes(code) ? 0 : FOUR.includes(code) ? 4 : 2;
    expect([code, DECIMALS_OF.get(code)]).toEqual([code, decimals]);
  }
});

test.each([
  ["CI$ 12.50", "12.50", "KYD"],
  ["FK£ 5", "5", "FKP"],
  ["VT 1,200", "1200", "VUV"],
  ["UF 12,5", "12.5", "CLF"],
  ["15 000 FC", "15000", "CDF"],
  ["Cg 40", "40", "XCG"],
  ["ZiG 300", "300", "ZWG"],
  ["250 naira", "250", "NGN"],
  ["80 cedis", "80", "GHS"],
  ["120 ብር", "120", "ETB"],
  ["45 kwanzas", "45", "AOA"],
  ["1.200 guaraníes", "1200", "PYG"],
  ["99 quetzales", "99", "GTQ"],
  ["500 colones", "500", "CRC"],
  ["12 000 F CFA", "12000", "XOF"],
  ["250 сомони", "250", "TJS"],
  ["1 500 сўм", "1500", "UZS"],
  ["25 000 төгрөг", "25000", "MNT"],
  ["9 900 драм", "9900", "AMD"],
  ["30 ლ", "30", "GEL"],
  ["120 টাকা", "120", "BDT"],
  ["299 kronor", "299", "SEK"],
  ["4.990 krónur", "4990", "ISK"],
  ["12 Б.р.", "12", "BYN"],
  ["美元 25", "25", "USD"],
  ["99 港元", "99", "HKD"],
  ["KM 12,50", "12.50", "BAM"],
  ["1 990 Ft", "1990", "HUF"],
])("%s is %s %s", (text, amount, currency) => {
  const read = parsePrice(text);
  expect([read.amount, read.currency]).toEqual([amount, currency]);
});

test("a unit is no currency, unless the country's own money is spelled so", () => {
  for (const text of ["5 km", "120 Km", "6 ft", "0.5 l", "2 mt", "40 den", "60 dB", "10k", "12 cm", "30 m", "3 kg"])
    expect([text, parsePrice(text).currency]).toEqual([text, null]);
  expect(parsePrice("1 990 ft", { locale: "hu-HU" }).currency).toBe("HUF");
  expect(parsePrice("12,50 km", { locale: "bs-BA" }).currency).toBe("BAM");
});

test("countries have the money they have now", () => {
  expect(parsePrice("12", { locale: "bg-BG", hint: "EUR" }).currency).toBe("EUR");
  expect(parsePrice("12 лв").currency).toBe("BGN");
});
