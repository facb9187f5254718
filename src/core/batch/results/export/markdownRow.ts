import { toJson } from '../../scan/jsonValue';
import { fenced, quoted } from '../../trial/markdown';
import { markdownWords } from '../../words/resultWords';
import type { Choice } from '../resultChoices';
import { failureText } from '../rowTexts';
import type { ExportedRow } from './exportedRow';

export function markdownHeader(): string {
  return `# ${markdownWords.results()}\n`;
}

/** Formats a request and its result as a section. Texts are quoted so that their headings do not become the document's. */
export function toMarkdown(row: ExportedRow): string {
  const { customId, state, line, asked, model, tokensIn, tokensOut } = row;
  const facts = [
    line === undefined ? undefined : markdownWords.line(line),
    model === undefined ? undefined : escaped(model),
    tokensIn === undefined || tokensOut === undefined ? undefined : markdownWords.tokens(tokensIn, tokensOut),
  ].filter((fact) => fact !== undefined);
  const hasRequest = asked !== '' || row.request !== undefined;
  const parts = [
    `## ${escaped(customId === '' ? '…' : customId)}`,
    ...(facts.length > 0 ? [facts.join(' · ')] : []),
    ...(state === 'extra' ? [`*${markdownWords.extra()}*`] : []),
    ...(hasRequest ? [`### ${markdownWords.request()}`, quoted(asked)] : []),
    ...outcome(row),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function outcome({ state, failure, choices, other, isTooLong }: ExportedRow): readonly string[] {
  const all = choices.flatMap((choice, index) => choiceParts(choice, choices.length > 1 ? index + 1 : undefined));
  if (failure) return [`### ${markdownWords.error()}`, quoted(failureText(failure)), ...all];
  if (isTooLong) return [`*${markdownWords.unread()}*`];
  if (state === 'missing') return [`*${markdownWords.missing()}*`];
  if (other) return [`### ${markdownWords.answer(undefined)}`, fenced(toJson(other, 2))];
  return all.length === 0 ? [`*${markdownWords.noText()}*`] : all;
}

function choiceParts({ reasoning, text, refusal, calls }: Choice, number: number | undefined): readonly string[] {
  const isEmpty = text === '' && refusal === '' && calls.length === 0;
  return [
    ...(reasoning === '' ? [] : [`### ${markdownWords.reasoning()}`, quoted(reasoning)]),
    `### ${markdownWords.answer(number)}`,
    ...(text === '' ? [] : [quoted(text)]),
    ...(refusal === '' ? [] : [`**${markdownWords.refusal()}**`, quoted(refusal)]),
    ...calls.flatMap((call) => [`\`${call.name.replaceAll('`', '')}\``, fenced(call.arguments)]),
    ...(isEmpty ? [`*${markdownWords.noText()}*`] : []),
  ];
}

/** Puts a text on one line and escapes its Markdown. */
export function escaped(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]()#+!<>|~&]/gu, '\\$&');
}
