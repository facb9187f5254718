import * as vscode from 'vscode';
import { confidenceOf } from '../../core/completion/confidence';
import type { TokenSpan } from '../../core/completion/tokenSpans';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { rangeOf } from './trackedRange';

/** Each step has a line of another kind: a colour alone says nothing to who cannot tell it from the others. */
const lineOf = { likely: 'dotted', unsure: 'dashed', doubtful: 'wavy' } as const;
const marked = ['likely', 'unsure', 'doubtful'] as const;

/** Draws over an editor's text how sure a model was of its tokens. */
export interface TokenColours extends Disposable {
  /** In place of what was drawn there. */
  draw(editor: vscode.TextEditor, tokens: readonly TokenSpan[]): void;
}

export function createTokenColours(): TokenColours {
  const store = new DisposableStore();
  const types = marked.map((step) => {
    const colour = new vscode.ThemeColor(`inferenceDesk.token.${step}`);
    const type = vscode.window.createTextEditorDecorationType({
      backgroundColor: colour,
      textDecoration: `underline ${lineOf[step]}; text-underline-offset: 3px; text-decoration-skip-ink: none`,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      ...(step === 'doubtful' && { overviewRulerColor: colour }),
    });
    return { step, type: store.add(type) };
  });
  return {
    draw(editor, tokens) {
      for (const { step, type } of types) {
        const fitting = tokens.filter(({ logprob }) => confidenceOf(logprob) === step);
        editor.setDecorations(
          type,
          fitting.map((token) => rangeOf(editor.document, token)),
        );
      }
    },
    dispose: () => store.dispose(),
  };
}
