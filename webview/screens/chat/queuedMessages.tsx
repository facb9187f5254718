import './queuedMessages.css';
import * as l10n from '@vscode/l10n';
import type { QueuedMessageView } from '../../../src/protocol/chat';
import { focusIfActive } from '../../components/focus';
import { IconButton } from '../../components/iconButton';
import { Note } from '../../components/note';
import { AttachmentLabels } from './attachmentChips';
import type { Chat } from './chatContext';

/** The messages that wait for the running answer, or that were not sent because it failed, was stopped, or VS Code was closed. */
export function QueuedMessages({ chat }: { readonly chat: Chat }) {
  const queued = chat.session.page.value?.queued ?? [];
  return (
    <>
      {queued.map((message) => (
        <Queued key={message.id} chat={chat} message={message} />
      ))}
    </>
  );
}

function Queued({ chat, message }: { readonly chat: Chat; readonly message: QueuedMessageView }) {
  const { session, announcer } = chat;
  const { id, text, attachments, isAutomatic, error } = message;
  const toBox = () => focusIfActive(document.querySelector<HTMLElement>('.composer-box .composer-text'));
  const edit = () => void session.unqueue(message, true).then(toBox);
  const remove = () =>
    void session.unqueue(message, false).then(() => {
      announcer.say(l10n.t('Removed'));
      toBox();
    });
  return (
    <div class="queued" role="group" aria-label={isAutomatic ? l10n.t('Queued') : l10n.t('Message not sent yet')}>
      <p class="question-text" dir="auto">
        {text}
      </p>
      <AttachmentLabels chips={attachments} />
      {error && (
        <Note
          tone={error.kind === 'accountChanged' ? 'info' : 'error'}
          {...error}
          onAct={(action) => void session.act(action)}
        />
      )}
      <div class="queued-actions">
        <span class="queued-state">{isAutomatic ? l10n.t('Queued') : l10n.t('Message not sent yet')}</span>
        <IconButton icon="edit" label={l10n.t('Edit')} onClick={edit} />
        <IconButton
          icon="arrow-up"
          label={l10n.t('Send Now')}
          onClick={() => void session.sendQueued(id).then(toBox)}
        />
        <IconButton icon="trash" label={l10n.t('Remove')} onClick={remove} />
      </div>
    </div>
  );
}
