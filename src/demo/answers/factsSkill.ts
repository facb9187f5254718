import type { Question } from './question';
import type { Skill } from './skill';

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
    /\bcapital(?: city)? of (?:the )?(\w+)/i.exec(ask)?.[1] ?? /(\p{Script=Han}{2,4}?)的首都/u.exec(ask)?.[1] ?? '';
  const entry = capitals[place.toLowerCase()];
  return entry === undefined
    ? undefined
    : say(`The capital of ${entry[0]} is **${entry[1]}**.`, `${entry[2]}的首都是**${entry[3]}**。`);
}

function larger({ ask, say }: Question): string | undefined {
  const [, word = '', a = '', b = ''] =
    /\b(larger|bigger|greater|higher|smaller|less|lower)\b.*?(-?\d+(?:\.\d+)?)\s*(?:or|and|,|than)\s*(-?\d+(?:\.\d+)?)/i.exec(
      ask,
    ) ??
    /(更大|更小|大|小).*?(-?\d+(?:\.\d+)?)\s*(?:和|与|还是|、)\s*(-?\d+(?:\.\d+)?)/.exec(ask) ??
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
    `“${word}” has **${count}** ${letter}${count === 1 ? '' : '’s'}.`,
    `“${word}”中有 **${count}** 个 ${letter}。`,
  );
}

function echo({ ask }: Question): string | undefined {
  return /^\W*(?:please )?(?:say|repeat|reply with) (?:just |only |exactly )?(?:the (?:number|word)s? )?(?!(?:some|any)\w+ )["“]?([^"”]{1,60}?)["”]?(?: and nothing else)?[.!]?\s*$/i.exec(
    ask,
  )?.[1];
}

function vowels({ ask, say }: Question): string | undefined {
  const word = /\bhow many vowels\b.*?\bin (?:the word )?["'“]?([a-z-]+)/i.exec(ask)?.[1];
  const count = word?.match(/[aeiou]/gi)?.length ?? 0;
  return word === undefined
    ? undefined
    : say(`“${word}” has **${count}** vowels.`, `“${word}”中有 **${count}** 个元音字母。`);
}

function percent({ ask, say }: Question): string | undefined {
  const [, part, whole] = /(\d+(?:\.\d+)?) ?(?:%|percent) of (\d+(?:\.\d+)?)/i.exec(ask) ?? [];
  if (part === undefined || whole === undefined) return undefined;
  const value = Number(((Number(part) * Number(whole)) / 100).toPrecision(12));
  return say(`${part}% of ${whole} is **${value}**.`, `${whole} 的 ${part}% 是 **${value}**。`);
}

function today({ ask, say }: Question): string | undefined {
  return /\bwhat(?:'s| is)? (?:the )?(?:time|date|day)\b|\bweather\b|\bnews\b|\bstock\b|今天.*(?:几号|星期)|天气|新闻/i.test(
    ask,
  )
    ? say(
        'I cannot look that up: the demo service has no clock, web or tools of its own. Offer me a tool for it and I call it.',
        '这个我查不了：演示服务没有时钟、网络，也没有自己的工具。提供相应的工具，我就会调用。',
      )
    : undefined;
}

const answered = (question: Question): string | undefined =>
  question.material === ''
    ? (capital(question) ??
      larger(question) ??
      percent(question) ??
      vowels(question) ??
      echo(question) ??
      letters(question) ??
      today(question))
    : undefined;

/** Answers small questions that can be looked up or computed. */
export const factsSkill: Skill = {
  name: 'fact',
  fits: (question) => answered(question) !== undefined,
  write: (question) => answered(question) ?? '',
};
