import type { Question } from '../question';
import { definitionsOf } from './outline';
import { type Source, fenceOf, fenced, inCode } from './source';

const wanted =
  /(?:rename|call)\s+(?:the\s+)?(?:(?:function|variable|class|method|key|parameter|argument|constant|file|field|property|heading)\s+)?[`"'“]?([\p{L}_$][\p{L}\p{N}_$-]*)[`"'”]?\s+(?:to|as|into)\s+[`"'“]?([\p{L}_$][\p{L}\p{N}_$-]*)|(?:把|将)\s*[`"“]?([\w$-]+)[`"”]?\s*(?:重命名为|改名为|改为|改成|重命名成)\s*[`"“]?([\w$-]+)/iu;

/** Renames a name wherever it occurs as a word of the code, but not in strings or comments. */
export function rename(source: Source, question: Question): string {
  const { ask, say } = question;
  const [, a, b, c, d] = wanted.exec(ask) ?? [];
  const [from, to] = [a ?? c, b ?? d];
  if (
    from === undefined ||
    to === undefined ||
    /^(?:better|good|clearer|more|something|meaningful|descriptive)$/i.test(to)
  )
    return say(
      'Tell me which name to change and to what: “rename `a` to `b`”. The demo service has no model, so it does not think up names.',
      '请告诉我把哪个名称改成什么，例如“把 a 重命名为 b”。演示服务没有模型，想不出新名称。',
    );
  const word = () => new RegExp(String.raw`(?<![\w$])${from.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'gu');
  const places: number[] = [];
  const lines = source.lines.map((line, at) => {
    let text = '';
    let done = 0;
    for (const match of (source.bare[at] ?? '').matchAll(word())) {
      text += line.slice(done, match.index) + to;
      done = match.index + from.length;
      places.push(source.firstLine + at);
    }
    return text + line.slice(done);
  });
  if (places.length === 0) {
    const names = definitionsOf(source).map(({ name }) => inCode(name));
    return say(
      `${inCode(from)} does not occur${source.name === '' ? '' : ` in ${inCode(source.name)}`}.${names.length === 0 ? '' : ` It defines ${names.join(', ')}.`}`,
      `${source.name === '' ? '文中' : `${inCode(source.name)} 中`}没有 ${inCode(from)}。${names.length === 0 ? '' : `已定义的有 ${names.join('、')}。`}`,
    );
  }
  const isTaken = source.bare.some((line) => new RegExp(String.raw`(?<![\w$])${to}(?![\w$])`, 'u').test(line));
  const at = [...new Set(places)];
  return [
    say(
      `${inCode(from)} is now ${inCode(to)}: ${places.length} place${places.length === 1 ? '' : 's'}, on line${at.length === 1 ? '' : 's'} ${at.join(', ')}.`,
      `${inCode(from)} 已改为 ${inCode(to)}：共 ${places.length} 处，在第 ${at.join('、')} 行。`,
    ),
    isTaken ? say(`Mind that ${inCode(to)} was there before.`, `注意：${inCode(to)} 原来就有。`) : '',
    fenced(fenceOf(source), lines.join('\n')),
    source.family === 'json' || source.family === 'markdown'
      ? ''
      : say(
          'Other files that use it are not changed: Rename Symbol (F2) does that.',
          '其他文件不会改动，可使用“重命名符号”（F2）。',
        ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
