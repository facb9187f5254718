import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { cssText } from '../../core/completion/cssText';
import type { Disposable } from '../../platform/disposables';
import type { TrackedRange } from './trackedRange';

/** Throttle for redraws. */
const everyMs = 100;
/** Only the end of the streamed text is shown. */
const mostLines = 8;
const mostColumns = 72;

/** Shows streamed text below a position. The document itself is edited only once, at the end, so that there is one undo step. */
export interface GrowingText extends Disposable {
  update(text: string, count: string): void;
}

export function showGrowing(place: TrackedRange): GrowingText {
  const type = vscode.window.createTextEditorDecorationType({});
  let text = '';
  let count = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    const { span, document } = place;
    const at = span && document.positionAt(span.end);
    const words =
      count === ''
        ? l10n.t('Completing… (Esc stops)')
        : l10n.t('Completing… {0} (Esc stops, and keeps what came)', count);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document !== document) continue;
      const range = at && new vscode.Range(at, at);
      editor.setDecorations(type, range ? [{ range, renderOptions: { after: look(`${words}\n${endOf(text)}`) } }] : []);
    }
  };
  draw();
  const listening = vscode.window.onDidChangeVisibleTextEditors(draw);
  return {
    update(newText, newCount) {
      [text, count] = [newText, newCount];
      timer ??= setTimeout(draw, everyMs);
    },
    dispose() {
      clearTimeout(timer);
      listening.dispose();
      type.dispose();
    },
  };
}

/** Breaks lines between words if there are any. */
const wrapping = new RegExp(`.{1,${mostColumns}}(?:\\s|$)|.{1,${mostColumns}}`, 'gu');

/**
 * A decoration shows only one line. CSS appended to its `textDecoration` turns it into a box of several lines below, as many extensions do.
 * https://github.com/microsoft/vscode/issues/63600
 */
function look(text: string): vscode.ThemableDecorationAttachmentRenderOptions {
  const [first = ''] = text.split('\n');
  const style = {
    content: cssText(text),
    display: 'block',
    position: 'absolute',
    'z-index': '5',
    left: '0',
    top: '100%',
    'margin-top': '3px',
    padding: '3px 10px',
    'white-space': 'pre',
    'border-left': '3px solid var(--vscode-progressBar-background)',
    'box-shadow': '0 2px 8px var(--vscode-widget-shadow)',
    'pointer-events': 'none',
  };
  const rules = Object.entries(style).map(([name, value]) => `${name}: ${value}`);
  return {
    contentText: first,
    color: new vscode.ThemeColor('editorHoverWidget.foreground'),
    backgroundColor: new vscode.ThemeColor('editorHoverWidget.background'),
    textDecoration: `none; ${rules.join('; ')}`,
  };
}

function endOf(text: string): string {
  const lines = text.replace(/^(\s*\n)+/, '').split(/\r\n|\r|\n/);
  const wrapped = lines.slice(-mostLines).flatMap((line) => line.match(wrapping) ?? ['']);
  return wrapped.slice(-mostLines).join('\n');
}
