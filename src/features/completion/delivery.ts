import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { CompletionChoice } from '../../core/api/completions/completionEvents';
import { foldAlternatives } from '../../core/completion/alternatives';
import type { Span } from '../../core/completion/movedSpan';
import type { Asked } from './asking';
import type { BesideTexts } from './besideTexts';
import { tellLostPlace, tellShortly } from './endings';
import { factsLine, factsOf } from './factsWords';
import type { InsertionPoint } from './insertionPoints';
import type { Results } from './results';
import type { TokenView } from './tokenView';
import { writeAnswers } from './writeAnswers';

/** A chosen answer and its destination. */
export interface Delivered {
  readonly place: InsertionPoint;
  readonly asked: Asked;
  readonly choice: CompletionChoice;
  /** Text before the answer, if it continues an earlier one. */
  readonly before?: string;
  /** The side document that already shows it. */
  readonly uri?: vscode.Uri;
}

/** Delivers answers to their destinations, with their facts. */
export interface Delivery {
  /** Writes into the document and returns true. If an insertion point is lost, shows the answers beside instead, and returns false. */
  write(items: readonly Delivered[]): Promise<boolean>;
  showBeside(item: Delivered): Promise<void>;
}

export function createDelivery(beside: BesideTexts, results: Results, tokens: TokenView): Delivery {
  const mark = ({ place, asked, choice }: Delivered, uri: vscode.Uri, span: Span) => {
    const facts = factsOf(asked, { finish: choice.finish_reason, isPromptCut: place.isCut });
    results.add({
      uri,
      span,
      facts,
      choice,
      prompt: place.prompt,
      alternatives: foldAlternatives(asked.answer.choices).length,
    });
    const logprobs = asked.answer.prompt?.[0]?.logprobs;
    if (logprobs && place.asked.span) tokens.add(place.document.uri, place.asked.span, logprobs);
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
