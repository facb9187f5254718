import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { pageList } from '../../components/pageLanguage';
import type { Chat } from './chatContext';
import { columnNames } from './compare/columnNames';
import { modelName } from './modelNames';
import './tools/toolCall.css';

/** Shown above the question box while the account does not offer what the conversation asked so far: says where the next question goes. */
export function NotOfferedLine({ chat }: { readonly chat: Chat }) {
  const words = notOfferedWords(chat);
  useEffect(() => {
    if (words !== undefined) chat.announcer.say(words);
  }, [chat, words]);
  if (words === undefined) return null;
  return (
    <div class="waits">
      <Icon name="warning" />
      <p class="waits-text">{words}</p>
    </div>
  );
}

function notOfferedWords({ session }: Chat): string | undefined {
  const { notOffered = [], model, profileName = '', comparing } = session.page.value ?? {};
  if (notOffered.length === 0) return undefined;
  const names = pageList(columnNames(notOffered));
  if (comparing?.on) return l10n.t("{0} doesn't offer {1}.", profileName, names);
  return model === undefined
    ? l10n.t("{0} doesn't offer {1}. Choose another model.", profileName, names)
    : l10n.t("{0} doesn't offer {1}. The next question goes to {2}.", profileName, names, modelName(model));
}
