import { bareForm } from './question';
import type { Question } from './question';
import { countTokens } from './tokens';

/** An expression and nothing else: digits, the four operations, powers, percent signs, and brackets. */
const expressionOnly =
  /^(?:(?:what(?:'s|’s| is)|how much is|calculate|compute|evaluate|计算)\s*)?([-\d(][\d\s.,+\-*/×÷^%()]*[\d)])\s*(?:=\s*)?(?:是多少|等于多少|等于几|得多少)?[?？.!]*$/i;

const precedence: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 3 };

function apply(operator: string, a: number, b: number): number {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  if (operator === '/') return a / b;
  return operator === '%' ? a % b : a ** b;
}

/** Returns the value of an expression by the usual precedence; `undefined` if it is not an expression. */
export function evaluate(source: string): number | undefined {
  const tokens =
    source
      .replaceAll('×', '*')
      .replaceAll('÷', '/')
      .replace(/(?<=\d),(?=\d{3})/g, '')
      .match(/\d+(?:\.\d+)?|[-+*/%^()]/g) ?? [];
  let at = 0;
  const primary = (): number => {
    const token = tokens[at];
    at += 1;
    if (token === '-') return -primary();
    if (token !== '(') return Number(token);
    const inner = climb(1);
    at += 1;
    return inner;
  };
  const climb = (least: number): number => {
    let left = primary();
    for (;;) {
      const operator = tokens[at] ?? '';
      const rank = precedence[operator] ?? 0;
      if (rank < least) return left;
      at += 1;
      left = apply(operator, left, climb(operator === '^' ? rank : rank + 1));
    }
  };
  const value = climb(1);
  return Number.isFinite(value) && at === tokens.length ? value : undefined;
}

function arithmetic({ ask, say }: Question): string | undefined {
  const expression = expressionOnly.exec(ask.trim())?.[1]?.trim() ?? '';
  if (expression.length > 200 || !/[\d)]\s*[+\-*/×÷^%]/.test(expression) || /^\d{4}-\d{2}(?:-\d{2})?$/.test(expression))
    return undefined;
  const value = evaluate(expression);
  if (value === undefined) return undefined;
  const shown = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)));
  return say(`\`${expression}\` is **${shown}**.`, `\`${expression}\` 等于 **${shown}**。`);
}

/** A share in percent, or a square root. */
function percentOrRoot({ ask, say }: Question): string | undefined {
  const number = (text = ''): number => Number(text.replaceAll(',', ''));
  const start = "^\\W*(?:(?:what|how much)(?:'s|’s| is)|calculate|compute|计算)?";
  const [, share, whole] =
    new RegExp(`${start}\\s*([\\d.,]+) ?(?:%|percent) of ([\\d.,]*\\d)\\W*$`, 'i').exec(ask) ?? [];
  const [, of, percent] = /^\W*(?:计算)? ?([\d.,]*\d) ?的 ?([\d.,]+) ?%(?:是多少|等于多少)?\W*$/.exec(ask) ?? [];
  const [, square] =
    new RegExp(`${start}\\s*(?:the )?(?:square root|sqrt)(?: of)?[ (]*([\\d.,]*\\d)[)\\W]*$`, 'i').exec(ask) ?? [];
  const value =
    square === undefined ? (number(share ?? percent) * number(whole ?? of)) / 100 : Math.sqrt(number(square));
  if ((share ?? percent ?? square) === undefined || !Number.isFinite(value)) return undefined;
  const shown = String(Number(value.toPrecision(12)));
  return square === undefined
    ? say(
        `${share ?? percent}% of ${whole ?? of} is **${shown}**.`,
        `${whole ?? of} 的 ${share ?? percent}% 是 **${shown}**。`,
      )
    : say(`The square root of ${square} is **${shown}**.`, `${square} 的平方根是 **${shown}**。`);
}

/** Counts the tokens of a quoted text as the demo counts them. */
function tokenCount({ ask, say }: Question): string | undefined {
  const [, text] =
    /\btokens?\b[^"“]*["“]([^"”]{1,2000})["”]/i.exec(ask) ??
    /["“]([^"”]{1,2000})["”][^"”]*(?:token|令牌)/i.exec(ask) ??
    [];
  if (text === undefined || !/\b(?:how many|count|number of)\b|多少|几个/i.test(ask)) return undefined;
  const count = countTokens(text);
  return say(
    `The demo service counts **${count}** token${count === 1 ? '' : 's'} in "${text}". Each model counts in its own way.`,
    `演示服务在“${text}”中数出 **${count}** 个 Token。每个模型的计数方式不同。`,
  );
}

/** The numbers of a short count, which also continue a count that was begun. */
function counting({ ask }: Question): string | undefined {
  const [, from = '1', to] =
    /^\W*count (?:up )?(?:from (\d{1,3}) )?(?:up )?to (\d{1,3})\b/i.exec(ask) ??
    /^从 ?(\d{1,3}) ?数到 ?(\d{1,3})/.exec(ask) ??
    [];
  const first = Number(from);
  const length = Number(to) - first + 1;
  if (!(length > 1 && length <= 100)) return undefined;
  return Array.from({ length }, (_, at) => first + at).join(', ');
}

const capitals: Readonly<Record<string, readonly [place: string, capital: string, zh: string, capitalZh: string]>> =
  Object.fromEntries(
    `France,Paris,法国,巴黎;Germany,Berlin,德国,柏林;Italy,Rome,意大利,罗马;Spain,Madrid,西班牙,马德里;England,London,英国,伦敦;Japan,Tokyo,日本,东京;China,Beijing,中国,北京`
      .split(';')
      .flatMap((row) => {
        const [place = '', capital = '', zh = '', capitalZh = ''] = row.split(',');
        const entry = [place, capital, zh, capitalZh] as const;
        return [
          [place.toLowerCase(), entry],
          [zh, entry],
        ];
      }),
  );

function capital({ ask, say }: Question): string | undefined {
  const place =
    /\bcapital(?: city)? of (?:the )?(\w+)[?.!\s]*$/i.exec(ask)?.[1] ??
    /(\p{Script=Han}{2,4}?)的首都/u.exec(ask)?.[1] ??
    '';
  const entry = capitals[place.toLowerCase()];
  return entry === undefined
    ? undefined
    : say(`The capital of ${entry[0]} is **${entry[1]}**.`, `${entry[2]}的首都是**${entry[3]}**。`);
}

function larger({ ask, say }: Question): string | undefined {
  const [, word = '', a = '', b = ''] =
    /^\W*(?:which|what)\b.*?\b(larger|bigger|greater|higher|smaller|less|lower)\b\D*?(-?\d+(?:\.\d+)?)\s*(?:or|and|,)\s*(-?\d+(?:\.\d+)?)[?.!\s]*$/i.exec(
      ask,
    ) ??
    /^(?:哪个)?(更?[大小]).*?(-?\d+(?:\.\d+)?)\s*(?:和|与|还是|、)\s*(-?\d+(?:\.\d+)?)[?？。\s]*$/.exec(ask) ??
    /^()(-?\d+(?:\.\d+)?)\s*(?:和|与|跟)\s*(-?\d+(?:\.\d+)?)\s*(?:哪个|谁)?更?大[?？。\s]*$/.exec(ask) ??
    [];
  if (b === '') return undefined;
  if (Number(a) === Number(b)) return say(`${a} and ${b} are equal.`, `${a} 与 ${b} 相等。`);
  const isLow = /smaller|less|lower|小/i.test(word);
  const [first, second] = Number(a) < Number(b) === isLow ? [a, b] : [b, a];
  return say(
    `**${first}** is ${isLow ? 'smaller' : 'larger'} than ${second}.`,
    `**${first}** 比 ${second} ${isLow ? '小' : '大'}。`,
  );
}

function letters({ ask, say }: Question): string | undefined {
  const [, letter = '', word = ''] =
    /\bhow many (?:times )?(?:does )?(?:the )?(?:letters? )?["'“]?([a-z])["'”]?(?:['’]?s)?\b.*?\bin (?:the word )?["'“]?([a-z-]+)/i.exec(
      ask,
    ) ?? [];
  if (word === '') return undefined;
  const count = Array.from(word.toLowerCase()).filter((one) => one === letter.toLowerCase()).length;
  return say(
    `"${word}" has **${count}** ${letter}${count === 1 ? '' : '’s'}.`,
    `“${word}”中有 **${count}** 个 ${letter}。`,
  );
}

function echo({ ask }: Question): string | undefined {
  return /^\W*(?:please )?(?:say|repeat(?: after me[:,]?)?|reply with) (?:just |only |exactly )?(?:the (?:number|word)s? )?(?!(?:some|any)\w+ )["“]?([^"”]{1,60}?)["”]?(?: and nothing else)?[.!]?\s*$/i.exec(
    ask,
  )?.[1];
}

function lookup({ ask, say }: Question): string | undefined {
  return /\bwhat(?:'s|’s| is)? (?:the )?(?:current |today['’]?s )?(?:time|date|day)\b|\bweather\b|\bnews\b|\bstock price\b|今天.*(?:几号|星期)|现在.*几点|几点了|天气|新闻/i.test(
    ask,
  )
    ? say(
        'The demo service has no clock and no web access. Add a tool that knows the answer, and the demo service calls it.',
        '演示服务没有时钟，也不能上网。添加知道答案的工具，演示服务就会调用它。',
      )
    : undefined;
}

/** “Think it through, then answer.” before a question changes nothing about its answer. */
const askedToThink = /^(?:please )?(?:think|reason)\b[^.!?\n]{0,60}[.!:]\s+(?=\S)/i;

/** Answers a small question with only the number or word, if that is requested. Returns `undefined` for any other question. */
export function answerBare(question: Question): string | undefined {
  const ask = question.ask.replace(bareForm, '').trim();
  if (ask === question.ask.trim() && !bareForm.test(question.system)) return undefined;
  return /\*\*(.+?)\*\*/.exec(answerFact({ ...question, ask }) ?? '')?.[1];
}

/** Answers small questions that can be computed or looked up in a table; `undefined` for any other question. */
export function answerFact(asked: Question): string | undefined {
  const question = { ...asked, ask: asked.ask.replace(askedToThink, '') };
  if (question.material !== '') return undefined;
  for (const answer of [arithmetic, percentOrRoot, tokenCount, counting, capital, larger, echo, letters, lookup]) {
    const text = answer(question);
    if (text !== undefined) return text;
  }
  return undefined;
}
