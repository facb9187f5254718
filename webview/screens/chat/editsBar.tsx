import './editsBar.css';
import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PendingFileView } from '../../../src/protocol/chatEdits';
import { Icon } from '../../components/icon';
import type { Chat } from './chatContext';

/** The changes of answers that wait in files, with **Keep** and **Undo** for all of them. Nothing if there are none. */
export function EditsBar({ chat: { session, announcer } }: { readonly chat: Chat }) {
  const { host } = session;
  const files = useSignal<readonly PendingFileView[]>([]);
  useEffect(() => {
    const listening = host.on('chat/editsChanged', ({ files: changed }) => (files.value = changed));
    void host.call('chat/pendingEdits', {}).then(
      (answer) => (files.value = answer.files),
      () => undefined,
    );
    return listening;
  }, [host, files]);
  const all = files.value;
  const [first] = all;
  if (!first) return null;
  const count = String(all.length);
  const label =
    all.length === 1 ? l10n.t('{0} changed', first.path.split('/').at(-1) ?? '') : l10n.t('{0} files changed', count);
  const added = all.reduce((sum, file) => sum + file.added, 0);
  const removed = all.reduce((sum, file) => sum + file.removed, 0);
  const decide = async (call: 'chat/keepEdits' | 'chat/undoEdits', done: string) => {
    if (await session.attempt(host.call(call, {}))) announcer.say(done);
  };
  return (
    <div class="edits-bar" role="group" aria-label={l10n.t('Changes in files')}>
      <button
        type="button"
        class="edits-files"
        title={all.map(({ path, ...lines }) => `${path} +${lines.added} −${lines.removed}`).join('\n')}
        onClick={() => void session.attempt(host.call('chat/showEdits', {}))}
      >
        <Icon name="diff" />
        <span class="edits-label">{label}</span>
        <span class="edits-counts">
          <span class="md-added">+{added}</span> <span class="md-removed">−{removed}</span>
        </span>
      </button>
      <button
        type="button"
        class="edits-button edits-keep"
        onClick={() => void decide('chat/keepEdits', l10n.t('Changes kept'))}
      >
        {l10n.t('Keep')}
      </button>
      <button
        type="button"
        class="edits-button"
        onClick={() => void decide('chat/undoEdits', l10n.t('Changes undone'))}
      >
        {l10n.t('Undo')}
      </button>
    </div>
  );
}
