// What a single line looks like: code, a comment, a table row, a log entry, a list item or prose. Patterns only; layout.ts decides.

export type LineKind = "code" | "comment" | "table" | "log" | "quotation" | "prose";

const KEYWORD_START =
  /^(?:import\b|from \S+ import\b|#\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|pragma|undef|error)\b|package \w+|use [\w:\\{]+|using \w+|func |fn |def |defp? |defmodule |class \w+|struct \w+|interface \w+|enum \w+|impl\b|trait \w+|const |let |let!|var |val |return\b|if ?[([!$]|\}? ?else\b|elsif\b|elif\b|elseif\b|endif|end$|end[;)]|endfunction|fi$|done$|esac|then$|do$|begin$|while ?[([]|for ?[([]|for \w+(?:, ?\w+)* in |foreach\b|switch\b|case \S+:$|case \S+\)|default:|try\b ?[:{]|except\b|catch\b|finally ?[:{]|raise \w|throw \w|yield\b|await |async |export\b|module\b|require\b|extern\b|typedef\b|template ?<|namespace \w|public\b|private\b|protected\b|static\b|void |int |char |bool |double |float |long |unsigned |size_t |final |abstract |override |@\w+|my [$@%(]|our [$@%]|sub \w|local \w|echo\b|set -|proc \w|print\(|printf|println|function\b|call \w|SELECT\b|INSERT INTO|CREATE (?:TABLE|INDEX|OR|VIEW|FUNCTION)|ALTER TABLE|UPDATE \w+ SET|DELETE FROM|DROP |WHERE |VALUES|GROUP BY|ORDER BY|LEFT JOIN|INNER JOIN|\$ |>>> |\.\.\. |<\?|<!|\{%|\{\{|%[\w{]|endfor|endwhile|augroup|autocmd|nnoremap|syn |hi |syntax |unset |shift$|exit\b|source |(?:movl?|push|pop|jmp|jne|je|lea|cmp|xor|ret)\b(?! \w+ \w))/;
const CODE_ANYWHERE =
  /=>|->|::|[=!]==?[^=]|:=|\+=|-=|&&|\|\||<-[^-]|<\/?\w|\/>|\$\{|\$\(|\$\w|\\[nt"]|\w\(\)|[\w\])]\(["'\w$&*[{(-]|\w\[["'\w$-]+\]|\b\w+_\w+\b|\b[a-z]+[a-z0-9]*[A-Z]\w*\b|\b\w+\.\w+\(|["'],$|^["'][^"']*["']:|__\w+__|0x[0-9a-fA-F]{2}|\b[A-Z]+_[A-Z_]+\b/;
const CODE_END = /[{};\\[(]$|[}\]];?,?$|\);$|[^.]=$/;
/** Words in a row may have two spaces between them: some programs double all of them. */
const WORDS_START = /^(?:[-*•] )?\(?[A-Z]?[a-z]+,? {1,2}[a-z]+ {1,2}[a-z]/;
const ASSIGNMENT = /^[\w.$@[\]"'%:*-]+(?: \w+)? ?[:+\-*/|?.]?= ?\S/;
const KEY_VALUE = /^(?:- )?["']?[\w.$@/-]+["']?: ?\S{0,60}$|^(?:- )?["']?[\w.$/-]+["']?:$|^[a-z-]+: [^.!?]*;$/;
const COMMENT = /^(?:\/\/|\/\*|\*\/|--(?: |-|$)|;;|#(?!#? ?[A-Z][^.]{0,60}$)|"""|'''|<!--|%%|dnl |REM )/;
const BULLET = /^(?:[-*•]|\d{1,3}[.)]) [A-Za-z"'([*]/;
const SENTENCE = /[a-z]{2,},? {1,2}[a-z]+,? {1,2}[a-z]{2,},? {1,2}[a-z]+,? {1,2}[a-z]{2,}/;
const LOG =
  /^(?:\S+ )?\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d[.,\] ]|[A-Z][a-z]{2} +\d+ \d\d:\d\d|\d{10}[. ])|^\S+ \S+ \S+ \[\d\d\/\w{3}\/\d{4}|^(?:\[|<)?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE|FATAL|NOTICE)\b|^ {4}at [\w.$]+\(|^\s+at \S+ \(/;

export function kindOfLine(line: string, trimmed: string): LineKind {
  if (trimmed.startsWith(">") && !trimmed.startsWith(">>>")) return "quotation";
  if (LOG.test(line)) return "log";
  if (isTableRow(line, trimmed)) return "table";
  if (COMMENT.test(trimmed)) return "comment";
  return isCode(trimmed) ? "code" : "prose";
}

function isCode(trimmed: string): boolean {
  if (BULLET.test(trimmed) && !KEY_VALUE.test(trimmed)) return false;
  if (trimmed.length > 400) return false;
  if (SENTENCE.test(trimmed)) return /[{};]$/.test(trimmed) && CODE_ANYWHERE.test(trimmed);
  return (
    KEYWORD_START.test(trimmed) ||
    (CODE_END.test(trimmed) && !WORDS_START.test(trimmed)) ||
    CODE_ANYWHERE.test(trimmed) ||
    ASSIGNMENT.test(trimmed) ||
    KEY_VALUE.test(trimmed)
  );
}

function isTableRow(line: string, trimmed: string): boolean {
  if (/^\|.*\|$|^[-+| =]{5,}$/.test(trimmed)) return true;
  if (countOf(line, "\t") >= 2 && !line.startsWith("\t")) return true;
  return isNumeric(trimmed);
}

function isNumeric(line: string): boolean {
  const cells = line.split(/[\s,;|]+/);
  return cells.length >= 3 && cells.filter((cell) => /^[-+$€£]?[\d.,%:/-]+$/.test(cell)).length > cells.length * 0.6;
}

export function countOf(text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count++;
  return count;
}
