import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lineDigest } from '../../../core/batch/results/lineMarks';
import type { RequestLine, ResultsRow, ResultDetails } from '../../../core/batch/results/resultsView';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import type { FileAnswers, OpenAnswers } from './fileAnswers';
import { customIdOf, idRange } from '../logic/lineIds';
import { codeLens, commandLink, joined, markdown } from '../../../platform/notify';
import { numberText } from '../../../platform/displayText';
import { failureText } from '../page/detailsWords';
import { noTextWords } from '../page/resultsWords';

/** The editor requests slightly more lines than it shows; a request for many more is only answered in part. */
const mostLines = 500;
const selector: vscode.DocumentSelector = { language: 'jsonl', scheme: 'file' };
/** A less specific selector: VS Code puts its lenses after the others of a line, so that the actions on the file come first. */
const behindOthers: vscode.DocumentSelector = { language: '*', scheme: '*' };

/** A longer line ends out of sight, so its answer is shown at its start. */
const longestSeen = 100;

/** Shows answers on the visible lines, above the cursor's line, and in full on hover. */
export function registerAnswerProviders(shown: OpenAnswers): Disposable {
  const store = new DisposableStore();
  store.add(vscode.languages.registerInlayHintsProvider(selector, hintsOf(shown)));
  store.add(vscode.languages.registerHoverProvider(selector, hoversOf(shown)));
  const lineOf = new WeakMap<vscode.TextDocument, number>();
  const lenses = store.add(new vscode.EventEmitter<void>());
  store.add(shown.onDidChange(() => lenses.fire()));
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections: [selection] }) => {
      if (selection && lineOf.get(textEditor.document) !== selection.active.line && shown.of(textEditor.document))
        lenses.fire();
    }),
  );
  store.add(
    vscode.languages.registerCodeLensProvider(behindOthers, {
      onDidChangeCodeLenses: lenses.event,
      async provideCodeLenses(document) {
        const line = cursorIn(document);
        if (line === undefined) return [];
        lineOf.set(document, line);
        return lensesAt(document, line, shown);
      },
    }),
  );
  return store;
}

function hintsOf(shown: OpenAnswers): vscode.InlayHintsProvider<LineHint> {
  return {
    onDidChangeInlayHints: shown.onDidChange,
    async provideInlayHints(document, range, token) {
      const answers = shown.of(document);
      if (!answers || !['both', 'hints'].includes(shown.place)) return [];
      const lines = requestLines(document, range);
      const { version } = document;
      const rows = await answers.rows(lines.map(({ request }) => request));
      if (token.isCancellationRequested || document.version !== version) return [];
      return lines.flatMap(({ line, request }, index) => {
        const row = rows[index];
        return row ? [new LineHint(document.lineAt(line).range, row, { answers, request })] : [];
      });
    },
    async resolveInlayHint(hint) {
      const { answers, request } = hint.from;
      const { customId } = request;
      const details = await answers.details(request);
      // A hint shows a single text; the link is in the hover of the id.
      if (details) hint.tooltip = hoverOf(details, { ...factsOf(answers), customId })[0];
      return hint;
    },
  };
}

interface From {
  readonly answers: FileAnswers;
  readonly request: RequestLine;
}

class LineHint extends vscode.InlayHint {
  constructor(
    line: vscode.Range,
    row: ResultsRow,
    readonly from: From,
  ) {
    const isLong = line.end.character > longestSeen;
    super(isLong ? line.start : line.end, hintText(row, isLong ? longestStart : longestHint));
    this.paddingLeft = !isLong;
    this.paddingRight = isLong;
  }
}

function hoversOf(shown: OpenAnswers): vscode.HoverProvider {
  return {
    async provideHover(document, { line, character }) {
      const answers = shown.place === 'off' ? undefined : shown.of(document);
      if (!answers) return undefined;
      const { text } = document.lineAt(line);
      const range = idRange(text);
      if (!range || character < range[0] || character > range[1]) return undefined;
      const request = requestLine(text);
      const details = request && (await answers.details(request));
      if (!request || !details) return undefined;
      const { customId } = request;
      const at = new vscode.Range(line, range[0], line, range[1]);
      return new vscode.Hover([...hoverOf(details, { ...factsOf(answers), customId })], at);
    },
  };
}

async function lensesAt(document: vscode.TextDocument, line: number, shown: OpenAnswers): Promise<vscode.CodeLens[]> {
  const answers = shown.of(document);
  if (!answers || !['both', 'lens'].includes(shown.place) || line >= document.lineCount) return [];
  // The lenses for the file are above the first line; its answer would push them out of view, and already appears as a hint.
  if (line === 0 && shown.place === 'both') return [];
  const request = requestLine(document.lineAt(line).text);
  if (!request) return [];
  const { customId } = request;
  const [row] = await answers.rows([request]);
  if (!row) return [];
  return [
    codeLens(new vscode.Range(line, 0, line, 0), {
      title: hintText(row, longestHint),
      command: 'inferenceDesk.batches.openResults',
      arguments: [answers.folder, customId],
      tooltip: l10n.t('Show this response on the results page'),
    }),
  ];
}

/** Returns the lines of a range that have an ID, and what their results are found by. */
export function requestLines(document: vscode.TextDocument, { start, end }: vscode.Range) {
  const last = Math.min(end.line, document.lineCount - 1, start.line + mostLines);
  const found: { readonly line: number; readonly request: RequestLine }[] = [];
  for (let line = start.line; line <= last; line++) {
    const request = requestLine(document.lineAt(line).text);
    if (request) found.push({ line, request });
  }
  return found;
}

function requestLine(text: string): RequestLine | undefined {
  const customId = customIdOf(text);
  return customId === undefined ? undefined : { customId, digest: lineDigest(text) };
}

function cursorIn(document: vscode.TextDocument): number | undefined {
  const active = vscode.window.activeTextEditor;
  const editor =
    active?.document === document ? active : vscode.window.visibleTextEditors.find((one) => one.document === document);
  return editor?.selection.active.line;
}

function factsOf({ folder, isChanged }: FileAnswers) {
  return { folder, isChanged };
}

const longestHint = 90;
/** The maximum length of a hint before a line, which moves the line. */
const longestStart = 40;
const longestHover = 4000;

/** Formats a line's answer as an inlay hint. */
function hintText(row: ResultsRow, longest: number): string {
  const { state, isFailed, answer, isChanged } = row;
  if (state === 'missing') return l10n.t('no response');
  const name = answer === '' ? undefined : incompleteWords(row);
  const lineText = [name, answer || noTextWords(row)].filter(Boolean).join(' · ');
  const text = isChanged ? l10n.t('line changed · {0}', lineText) : lineText;
  return `${isFailed ? '✗' : state === 'answered' ? '→' : '⚠'} ${shortenedEnd(text, longest)}`;
}

/** Says why a text is not an answer. */
function incompleteWords({ state, isFiltered }: ResultsRow): string | undefined {
  if (isFiltered) return l10n.t('withheld by the content filter');
  if (state === 'truncated') return l10n.t('truncated');
  return state === 'refused' ? l10n.t('rejected') : undefined;
}

function shortenedEnd(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

interface HoverFacts {
  readonly folder: string;
  readonly customId: string;
  /** The file has changed since it was sent, and it is not known which of its lines did. */
  readonly isChanged: boolean;
}

/**
 * Formats the entire answer, up to the length anyone reads in a hover. The model's text is escaped, never rendered as Markdown. Only our
 * own link below it is active.
 */
function hoverOf(details: ResultDetails, facts: HoverFacts): readonly vscode.MarkdownString[] {
  const title = details.isFailed
    ? l10n.t('Error')
    : details.state === 'missing'
      ? l10n.t('No response')
      : (incompleteTitle(details) ?? l10n.t('Response'));
  const text = details.failure
    ? failureText(details.failure)
    : details.choices
        .flatMap(({ text, refusal, calls }) => [
          text.text,
          refusal.text,
          ...calls.map((call) => `${call.name}(${call.arguments.text})`),
        ])
        .filter(Boolean)
        .join('\n\n');
  const cut = text.length - longestHover;
  const body = text.slice(0, longestHover);
  const { folder, customId } = facts;
  return [
    joined([
      markdown`**${title}**`,
      ...(body === '' ? [] : [markdown`${body}`]),
      ...notes(details, facts, cut).map((note) => markdown`*${note}*`),
    ]),
    commandLink(l10n.t('Open in Results'), 'inferenceDesk.batches.openResults', folder, customId),
  ];
}

function incompleteTitle({ state, isFiltered }: ResultDetails): string | undefined {
  if (isFiltered) return l10n.t('Withheld by the Content Filter');
  if (state === 'truncated') return l10n.t('Truncated Response');
  if (state === 'refused') return l10n.t('Rejected');
  return state === 'empty' ? l10n.t('Empty Response') : undefined;
}

function notes(
  { tokensIn, tokensOut, choices, since }: ResultDetails,
  { isChanged }: HoverFacts,
  cut: number,
): readonly string[] {
  const number = (value: number) => numberText(value, vscode.env.language);
  const finish = choices.find((choice) => choice.finish !== undefined && choice.finish !== 'stop')?.finish;
  const tokens =
    tokensIn === undefined && tokensOut === undefined
      ? undefined
      : l10n.t('{0} tokens in, {1} out', number(tokensIn ?? 0), number(tokensOut ?? 0));
  return [
    cut > 0 ? l10n.t('… {0} more characters', number(cut)) : undefined,
    [tokens, finish === undefined ? undefined : l10n.t('stop reason: {0}', finish)].filter(Boolean).join(' · '),
    since === 'changed'
      ? l10n.t('The line has changed since the run. The response is to the earlier version.')
      : undefined,
    isChanged ? l10n.t('The batch file has changed since the run.') : undefined,
  ].filter((note): note is string => Boolean(note));
}
