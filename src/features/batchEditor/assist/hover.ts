import * as vscode from 'vscode';
import { describeAt } from '../../../core/batch/assist/describe';
import type { ConversationPreview } from '../../../core/batch/assist/describe';
import type { CatalogueModel } from '../../../core/catalogue/model';
import { numberText } from '../../../platform/displayText';
import { modelFacts } from '../../../services/models/modelFacts';
import type { BatchDocuments } from '../batchDocuments';
import { helpedText, rangeOf } from './helpedText';
import { joined, markdown } from '../../../platform/notify';

export interface HoverOptions {
  readonly documents: BatchDocuments;
  readonly models: () => readonly CatalogueModel[];
}

export function createHover({ documents, models }: HoverOptions): vscode.HoverProvider {
  return {
    provideHover(document, position) {
      const helped = helpedText(documents, document, position);
      const found = helped && describeAt(helped.text, helped.offset);
      if (!helped || !found) return undefined;
      const { member, model, conversation } = found;
      const contents = [
        ...(member && !helped.isHelped ? [memberText(member)] : []),
        ...(model === undefined ? [] : modelFacts(model, models())),
        ...(conversation && conversation.messages.length > 0 ? [conversationText(conversation)] : []),
      ];
      return contents.length > 0 ? new vscode.Hover(contents, rangeOf(document, helped, found)) : undefined;
    },
  };
}

function memberText({ name, about, takes }: { readonly name: string; readonly about: string; readonly takes: string }) {
  return markdown`**${name}**\n\n${about}\n\n${takes}`;
}

/** Message texts are escaped, so none of them is rendered as Markdown. */
function conversationText({ messages, left }: ConversationPreview): vscode.MarkdownString {
  const shown = messages.map(({ role, text }) => markdown`**${role}**\n\n${text}`);
  if (left > 0) {
    const more =
      left === 1
        ? vscode.l10n.t('1 more message')
        : vscode.l10n.t('{0} more messages', numberText(left, vscode.env.language));
    shown.push(markdown`*${more}*`);
  }
  return joined(shown);
}
