import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Hunk } from '../../../core/edits/hunks';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import { codeLens, markdown } from '../../../platform/notify';
import type { PendingEdits } from './pendingEdits';

/** Longer lines are shown truncated; the hover shows them complete. */
const longestShown = 100;
/** The maximum length of a hunk's removed lines in its hover. */
const mostHovered = 200;

/** Shows pending changes in editors: added lines in color, removed ones after them, and **Keep** and **Undo** above each hunk. */
export class EditMarks implements Disposable {
  private readonly store = new DisposableStore();
  private readonly added = this.store.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
      borderColor: new vscode.ThemeColor('diffEditor.insertedTextBorder'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
    }),
  );
  private readonly removed = this.store.add(
    vscode.window.createTextEditorDecorationType({
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
    }),
  );
  private readonly lensesChanged = this.store.add(new vscode.EventEmitter<void>());
  private lenses: vscode.Disposable | undefined;

  constructor(private readonly edits: PendingEdits) {
    this.store.add(edits.onDidChange(() => this.show()));
    this.store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.show()));
  }

  dispose(): void {
    this.lenses?.dispose();
    this.store.dispose();
  }

  private show(): void {
    for (const editor of vscode.window.visibleTextEditors) this.mark(editor);
    const hasEdits = this.edits.all.length > 0;
    if (hasEdits) this.lenses ??= this.provideLenses();
    else {
      this.lenses?.dispose();
      this.lenses = undefined;
    }
    this.lensesChanged.fire();
  }

  private mark(editor: vscode.TextEditor): void {
    const { document } = editor;
    const hunks = this.edits.in(document.uri);
    const added = hunks.filter(({ start, end }) => end > start);
    editor.setDecorations(
      this.added,
      added.map((hunk) => ({
        range: new vscode.Range(hunk.start, 0, hunk.end - 1, 0),
        ...(hunk.before.length > 0 && { hoverMessage: removedText(hunk.before, document.languageId) }),
      })),
    );
    editor.setDecorations(
      this.removed,
      hunks.flatMap((hunk) => removedLines(hunk, document)),
    );
  }

  private provideLenses(): vscode.Disposable {
    return vscode.languages.registerCodeLensProvider(
      { pattern: '**' },
      {
        onDidChangeCodeLenses: this.lensesChanged.event,
        provideCodeLenses: (document) => lensesOf(document, this.edits.in(document.uri)),
      },
    );
  }
}

function lensesOf(document: vscode.TextDocument, hunks: readonly Hunk[]): vscode.CodeLens[] {
  const uri = document.uri.toString();
  return hunks.flatMap(({ id, start, before }, index) => {
    const line = Math.min(start, document.lineCount - 1);
    const lens = (title: string, command: string, ...rest: readonly unknown[]) =>
      codeLens(new vscode.Range(line, 0, line, 0), {
        title,
        command,
        arguments: [uri, ...rest],
      });
    const ofAll =
      index === 0 && hunks.length > 1
        ? [lens(l10n.t('Keep All'), 'inferenceDesk.edits.keep'), lens(l10n.t('Undo All'), 'inferenceDesk.edits.undo')]
        : [];
    const compare = before.length > 0 || index === 0 ? [lens(l10n.t('Compare'), 'inferenceDesk.edits.compare')] : [];
    return [
      lens(l10n.t('Keep'), 'inferenceDesk.edits.keep', id),
      lens(l10n.t('Undo'), 'inferenceDesk.edits.undo', id),
      ...compare,
      ...ofAll,
    ];
  });
}

/** Puts each removed line after the line at its position. Those without one are counted after the last. */
function removedLines(
  { start, end, before }: Hunk,
  document: vscode.TextDocument,
): readonly vscode.DecorationOptions[] {
  const places = Math.max(1, end - start);
  const first = end > start ? start : Math.max(0, start - 1);
  return before.slice(0, places).map((text, index) => {
    const isLast = index === places - 1;
    const more = isLast ? before.length - places : 0;
    const line = Math.min(first + index, document.lineCount - 1);
    const { range } = document.lineAt(line);
    const shown = text.trim().slice(0, longestShown);
    return {
      range: new vscode.Range(range.end, range.end),
      hoverMessage: removedText(before, document.languageId),
      renderOptions: {
        after: {
          margin: '0 0 0 2em',
          contentText: [`− ${shown}`, ...(more > 0 ? [`(−${more})`] : [])].join(' '),
          color: new vscode.ThemeColor('descriptionForeground'),
          backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
          border: '1px solid',
          borderColor: new vscode.ThemeColor('diffEditor.removedTextBorder'),
        },
      },
    };
  });
}

function removedText(before: readonly string[], language: string): vscode.MarkdownString {
  const text = markdown`${l10n.t('Before')}`;
  return text.appendCodeblock(before.slice(0, mostHovered).join('\n'), language);
}
