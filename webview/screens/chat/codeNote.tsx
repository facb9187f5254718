import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { WireError } from '../../../src/protocol/wire';
import { Note } from '../../components/note';
import type { Chat } from './chatContext';

/** Shows below a code block why a button's action failed, with buttons that call `act`. Without `error`, removes that note. */
export function tellAtCode(button: HTMLElement, chat: Chat, error?: WireError, act?: (action: string) => void): void {
  const { announcer } = chat;
  const block = button.closest('.md-code');
  const before = block?.querySelector('.md-code-note');
  if (before) render(null, before);
  before?.remove();
  if (!error) return;
  announcer.say([error.title, error.detail].filter(Boolean).join('. '));
  if (!block) return;
  const place = document.createElement('div');
  place.className = 'md-code-note';
  block.append(place);
  const dismiss = () => {
    tellAtCode(button, chat);
    button.focus();
  };
  render(
    <Note
      tone="warning"
      {...error}
      onAct={(action) => act?.(action)}
      dismiss={{ label: l10n.t('Dismiss'), run: dismiss }}
    />,
    place,
  );
  place.scrollIntoView({ block: 'nearest' });
}
