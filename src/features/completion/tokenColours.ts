import * as vscode from 'vscode';
import { confidenceOf } from '../../core/completion/confidence';
import type { TokenSpan } from '../../core/completion/tokenSpans';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { rangeOf } from './trackedRange';

/** Each step has its own underline style, for people who cannot distinguish the colors. */
const lineOf = { likely: 'dotted', unsure: 'dashed', doubtful: 'wavy' } as const;
const marked = ['likely', 'unsure', 'doubtful'] as const;

/** Highlights tokens in an editor by the model's confidence. */
export interface TokenColours extends Disposable {
  /** Replaces the highlights of an editor. */
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
