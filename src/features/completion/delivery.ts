import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CompletionChoice } from '../../core/api/completions/completionEvents';
import { foldAlternatives } from '../../core/completion/alternatives';
import type { Span } from '../../core/completion/movedSpan';
import type { CompletionAnswer } from './asking';
import type { BesideTexts } from './besideTexts';
import { writeInDocument, writeInEditor } from '../../platform/workspace/writeEdits';
import type { WriteResult } from '../../platform/workspace/writeEdits';
import { tellLostPlace, tellShortly } from './endings';
import { factsLine, factsOf } from './factsWords';
import type { InsertionPoint } from './insertionPoints';
import type { Results } from './results';
import type { TokenView } from './tokenView';
import { rangeOf, trackRange } from './trackedRange';
import type { TrackedRange } from './trackedRange';

/** A chosen answer and its destination. */
export interface Delivered {
  readonly place: InsertionPoint;
  readonly completion: CompletionAnswer;
  readonly choice: CompletionChoice;
  /** Text before the answer, if it continues an earlier one. */
  readonly before?: string;
  /** The side document that already shows it. */
  readonly uri?: vscode.Uri;
}

/** Delivers answers to their destinations, with their facts. */
export interface Delivery {
  /** Writes into the document and returns true. If an insertion point is lost, shows the answers to the side instead, and returns false. */
  write(items: readonly Delivered[]): Promise<boolean>;
  showBeside(item: Delivered): Promise<void>;
}

export function createDelivery(beside: BesideTexts, results: Results, tokens: TokenView): Delivery {
  const mark = ({ place, completion, choice }: Delivered, uri: vscode.Uri, span: Span) => {
    const facts = factsOf(completion, { finish: choice.finish_reason, isPromptCut: place.isCut });
    results.add({
      uri,
      span,
      facts,
      choice,
      prompt: place.prompt,
      alternatives: foldAlternatives(completion.answer.choices).length,
    });
    const logprobs = completion.answer.prompt?.[0]?.logprobs;
    if (logprobs && place.promptRange.span) tokens.add(place.document.uri, place.promptRange.span, logprobs);
    if (choice.logprobs) tokens.add(uri, span, choice.logprobs);
    else if (!logprobs) tokens.tellNone();
    tellShortly(factsLine(facts));
  };

  const showBeside: Delivery['showBeside'] = async (item) => {
    const text = `${item.before ?? ''}${item.choice.text}`;
    const uri = item.uri ?? beside.add(l10n.t('Completion'), item.place.document.uri);
    const length = beside.set(uri, text, { atOnce: true });
    await beside.show(uri);
    await beside.settled(uri);
    results.removeFrom(uri);
    mark(item, uri, { start: length - item.choice.text.replaceAll('\r\n', '\n').length, end: length });
  };

  return {
    showBeside,
    async write(items) {
      const written = await writeAnswers(items.map(({ place, choice }) => ({ place, text: choice.text })));
      if (!written) {
        tellLostPlace();
        for (const item of items) await showBeside(item);
        return false;
      }
      for (const [index, place] of written.entries()) {
        const item = items[index];
        if (item && place.span) mark(item, place.document.uri, place.span);
        place.dispose();
      }
      return true;
    },
  };
}

/** Most attempts while the user types at the same time. */
const mostTries = 20;

/** A text and its destination. */
interface Writing {
  readonly place: TrackedRange;
  readonly text: string;
}

/**
 * Writes texts into one document as one undo step, without moving the cursors. Resolves to the written ranges, which the caller disposes;
 * to `undefined`, with nothing written, if a destination is lost or the document cannot be edited.
 */
async function writeAnswers(writings: readonly Writing[]): Promise<readonly TrackedRange[] | undefined> {
  const document = writings[0]?.place.document;
  if (!document) return [];
  for (let tries = 0; tries < mostTries; tries++) {
    const { version } = document;
    const edits = editsOf(document, writings);
    if (!edits || document.isClosed) return undefined;
    const written = followWritten(document, edits);
    const result = await apply(document, edits);
    const places = written.end();
    if (result === 'written') return places;
    for (const place of places) place.dispose();
    // If the document has not changed, another attempt would be rejected for the same reason.
    if (result === 'readOnly' || document.version === version) return undefined;
  }
  return undefined;
}

interface Edit {
  readonly start: number;
  readonly removed: number;
  readonly range: vscode.Range;
  readonly text: string;
}

/** Tracks the texts from the moment they are written, because the user may type on before the edit resolves. */
function followWritten(document: vscode.TextDocument, edits: readonly Edit[]) {
  let places: readonly TrackedRange[] = [];
  const changes = edits.filter((edit) => !isEmpty(edit));
  const listening = vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
    if (changed !== document || places.length > 0 || contentChanges.length !== changes.length) return;
    const isOurs = changes.every(({ text }) => contentChanges.some((change) => change.text === text));
    if (isOurs) places = edits.map((edit) => trackRange(document, spanOf(edit, edits)));
  });
  return {
    end() {
      listening.dispose();
      return places;
    },
  };
}

function isEmpty({ text, removed }: Edit): boolean {
  return text === '' && removed === 0;
}

function spanOf({ start, text }: Edit, edits: readonly Edit[]): Span {
  const before = edits.filter((one) => one.start < start);
  const moved = start + before.reduce((sum, one) => sum + one.text.length - one.removed, 0);
  return { start: moved, end: moved + text.length };
}

/** Returns the text with the line ends of the document. */
function withLineEnds(document: vscode.TextDocument, text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

function editsOf(document: vscode.TextDocument, writings: readonly Writing[]): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  for (const { place, text } of writings) {
    const { span } = place;
    if (!span) return undefined;
    const range = rangeOf(document, span);
    const { start, end } = span;
    edits.push({ start, removed: end - start, range, text: withLineEnds(document, text) });
  }
  return edits;
}

async function apply(document: vscode.TextDocument, edits: readonly Edit[]): Promise<WriteResult> {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const textEdits = edits.map(({ range, text }) => new vscode.TextEdit(range, text));
  if (!editor) {
    // Nobody would see the edit, because a document without a tab would stay unsaved in the background.
    if (!hasTab(document.uri)) return 'rejected';
    return writeInDocument(document, textEdits);
  }
  const before = editor.selections;
  const result = await writeInEditor(editor, textEdits);
  if (result === 'written') keepCursors(editor, before, edits);
  return result;
}

function hasTab(uri: vscode.Uri): boolean {
  const isIt = (one: vscode.Uri) => one.toString() === uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => {
      if (input instanceof vscode.TabInputNotebook) return input.uri.path === uri.path;
      if (input instanceof vscode.TabInputTextDiff) return isIt(input.modified) || isIt(input.original);
      return input instanceof vscode.TabInputText && isIt(input.uri);
    });
}

/** Moves the cursors back, because VS Code moves a cursor along with text that is inserted at it. */
function keepCursors(editor: vscode.TextEditor, before: readonly vscode.Selection[], edits: readonly Edit[]): void {
  const selections = before.map(
    ({ anchor, active }) => new vscode.Selection(moved(anchor, edits), moved(active, edits)),
  );
  const isSame = selections.every((one, index) => editor.selections[index]?.isEqual(one));
  const isReplaced = edits.some(({ range }) => !range.isEmpty && before.some((one) => one.intersection(range)));
  if (!isSame && !isReplaced) editor.selections = selections;
}

/** Returns a position after the edits; text inserted exactly there goes after it. */
function moved(position: vscode.Position, edits: readonly Edit[]): vscode.Position {
  const ahead = edits.filter(({ range }) => range.end.isBefore(position));
  let [lines, characters] = [0, 0];
  for (const { range, text } of ahead) {
    const added = text.split('\n');
    lines += added.length - 1 - (range.end.line - range.start.line);
    if (range.end.line !== position.line) continue;
    const endCharacter = added.at(-1)!.length + (added.length === 1 ? range.start.character : 0);
    characters += endCharacter - range.end.character;
  }
  return position.translate(lines, characters);
}
