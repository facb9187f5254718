import * as vscode from 'vscode';
import { readLine } from '../../../core/batch/readLine';
import { readTrial } from '../../../core/batch/trial/readTrial';
import { textsOf } from '../../../core/batch/trial/trialUsage';
import { numberText } from '../../../platform/displayText';
import { createQuickPick } from '../../../platform/notify';

/** More would not be read in a list; typing finds the others. */
const mostOffered = 200;
/** A request is told by so much of its last text. */
const shownChars = 80;

interface LineItem extends vscode.QuickPickItem {
  readonly line: number;
}

/**
 * Asks for one of a batch file's lines: by its number, by words in it, or from the list, which begins with the cursor's.
 * Resolves to the line, from 0; `undefined` when the person leaves.
 */
export async function chooseLine(document: vscode.TextDocument, cursorLine: number): Promise<number | undefined> {
  const pick = createQuickPick<LineItem>();
  pick.title = vscode.l10n.t('Try a Line');
  pick.placeholder = vscode.l10n.t('Type the number of a line, or words in it');
  const list = () => (pick.items = [...found(document, pick.value, cursorLine)]);
  list();
  pick.onDidChangeValue(list);
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      // Whoever types fast confirms before the list has followed: it is what was typed that counts.
      const offered = [...found(document, pick.value, cursorLine)];
      const [active] = pick.activeItems;
      resolve((offered.find(({ line }) => line === active?.line) ?? offered[0])?.line);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function* found(document: vscode.TextDocument, typed: string, cursorLine: number): Iterable<LineItem> {
  const asked = typed === '' ? cursorLine : /^\d+$/.test(typed) ? Number(typed) - 1 : -1;
  const first = asked >= 0 && asked < document.lineCount ? itemOf(document, asked) : undefined;
  if (first) yield first;
  const words = typed.toLowerCase();
  let offered = 0;
  for (let line = 0; line < document.lineCount && offered < mostOffered; line++) {
    if (line === asked || !document.lineAt(line).text.toLowerCase().includes(words)) continue;
    const item = itemOf(document, line);
    if (!item) continue;
    offered++;
    yield item;
  }
}

/** `undefined` for blank lines. */
function itemOf(document: vscode.TextDocument, line: number): LineItem | undefined {
  const { text } = document.lineAt(line);
  const { isBlank, customId, model } = readLine(text);
  if (isBlank) return undefined;
  const number = vscode.l10n.t('Line {0}', numberText(line + 1, vscode.env.language));
  return {
    line,
    label: customId?.value ?? number,
    description: [customId && number, model?.value].filter(Boolean).join(' · '),
    detail: lastText(text),
    // What was typed was looked for in the whole line already.
    alwaysShow: true,
  };
}

/** The end of what is asked, in one line; of a line that cannot be tried its beginning. */
function lastText(line: string): string {
  const trial = readTrial(line);
  const text = 'body' in trial ? [...textsOf(trial.body['messages'])].at(-1) : undefined;
  return (text ?? line).slice(0, shownChars).replaceAll(/\s+/g, ' ');
}
