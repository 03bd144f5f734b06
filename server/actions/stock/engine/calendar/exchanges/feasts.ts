// Holidays and their eves that many European tables share.
import { easter, fixed, type Rule, type Span } from "../rules.ts";

export const newYear = (span?: Span) => fixed("New Year's Day", "01-01", span);
export const epiphany = (span?: Span) => fixed("Epiphany", "01-06", span);
export const maundyThursday = easter("Maundy Thursday", -3);
export const goodFriday = easter("Good Friday", -2);
export const easterMonday = easter("Easter Monday", 1);
export const labourDay = (span?: Span) => fixed("Labour Day", "05-01", span);
export const ascension = (span?: Span) => easter("Ascension Day", 39, span);
export const whitMonday = (span?: Span) => easter("Whit Monday", 50, span);
export const corpusChristi = (span?: Span) => easter("Corpus Christi", 60, span);
export const assumption = (span?: Span) => fixed("Assumption Day", "08-15", span);
export const allSaints = (span?: Span) => fixed("All Saints' Day", "11-01", span);
export const christmasEve = (span?: Span) => fixed("Christmas Eve", "12-24", span);
export const christmas = (span?: Span) => fixed("Christmas Day", "12-25", span);
export const boxingDay = (span?: Span) => fixed("Boxing Day", "12-26", span);
export const newYearsEve = (span?: Span) => fixed("New Year's Eve", "12-31", span);

export const CORE: Rule[] = [newYear(), goodFriday, easterMonday, labourDay(), christmas(), boxingDay()];
export const EVES: Rule[] = [christmasEve(), newYearsEve()];
export const monday = { observe: "monday" } as const;
export const free = { observe: "free" } as const;
export const before = { observe: "before" } as const;
