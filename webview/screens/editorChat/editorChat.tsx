import './editorChat.css';
import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { render } from 'preact';
import type {
  EditorChatChoice,
  EditorChatScreen,
  EditorChatUse,
  EditorChatView,
} from '../../../src/protocol/editorChat';
import { createAnnouncer } from '../../components/announcer';
import { Icon } from '../../components/icon';
import { Note } from '../../components/note';
import { SelectField } from '../../components/selectField';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';

export function mountEditorChat(root: HTMLElement, host: Host<EditorChatScreen>): void {
  const page = document.createElement('main');
  page.className = 'editor-chat';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new EditorChatSession(host, (text) => announcer.say(text));
  render(<EditorChatPage session={session} />, page);
  void session.start();
}

class EditorChatSession extends PageSession<EditorChatScreen> {
  readonly view = signal<EditorChatView | undefined>(undefined);

  async start(): Promise<void> {
    this.host.on('editorChat/changed', (view) => (this.view.value = view));
    this.view.value = (await this.ask('editorChat/ready', {})) ?? this.view.value;
  }

  async choose(use: EditorChatUse, model: string): Promise<void> {
    this.view.value = (await this.ask('editorChat/choose', { use, model })) ?? this.view.value;
  }
}

function EditorChatPage({ session }: { readonly session: EditorChatSession }) {
  const view = session.view.value;
  const problem = session.error.value ?? view?.error;
  const isReady = (view?.choices.find(({ use }) => use === 'chat')?.model ?? '') !== '';
  return (
    <>
      <div class="editor-chat-body">
        <div class="editor-chat-column">
          <h1>{l10n.t('Use in VS Code Chat')}</h1>
          <p class="editor-chat-lead">
            {view &&
              l10n.t("Use models from {0} in VS Code's own chat and agent. No GitHub account required.", view.account)}
          </p>
          {problem && (
            <Note tone="error" {...problem} onAct={(action) => void session.ask('editorChat/act', { action })} />
          )}
          {view?.choices.map((choice) => (
            <Choice key={choice.use} choice={choice} session={session} />
          ))}
          <div class="editor-chat-note">
            <Icon name="info" />
            <p>
              {l10n.t('Your first message to an agent sends about 20,000 tokens.')}{' '}
              <button type="button" class="link" onClick={() => void session.ask('editorChat/showSpending', {})}>
                {l10n.t('Show Activity and Spend')}
              </button>
            </p>
          </div>
        </div>
      </div>
      <footer class="editor-chat-foot">
        <div class="editor-chat-column editor-chat-actions">
          <vscode-button
            appearance="primary"
            disabled={!isReady}
            onClick={() => isReady && void session.ask('editorChat/open', {})}
          >
            {l10n.t('Open VS Code Chat')}
          </vscode-button>
          <vscode-button
            appearance="secondary"
            disabled={!isReady}
            onClick={() => isReady && void session.ask('editorChat/check', {})}
          >
            {l10n.t('Check Model…')}
          </vscode-button>
        </div>
      </footer>
    </>
  );
}

function Choice({ choice, session }: { readonly choice: EditorChatChoice; readonly session: EditorChatSession }) {
  const [title, reason] = wordsOf(choice.use);
  return (
    <section class="editor-chat-choice" aria-label={title}>
      <div class="editor-chat-label">
        <h2>{title}</h2>
        <p>{reason}</p>
      </div>
      <div class="editor-chat-control">
        {choice.isOffered && (
          <SelectField
            label={title}
            value={choice.model}
            options={choice.models.map(({ id, label }) => ({ value: id, label }))}
            onChoose={(model) => void session.choose(choice.use, model)}
          />
        )}
        <p class="editor-chat-facts">
          {choice.facts.map(({ text, state }) => (
            <span key={text} class={state === undefined ? 'editor-chat-fact' : `editor-chat-fact fact-${state}`}>
              {state && <Icon name={state === 'works' ? 'check' : 'warning'} />}
              {text}
            </span>
          ))}
        </p>
      </div>
    </section>
  );
}

function wordsOf(use: EditorChatUse): readonly [string, string] {
  switch (use) {
    case 'chat':
      return [l10n.t('Chat and agent'), l10n.t('Answers questions, edits files, and runs tools')];
    case 'utility':
      return [l10n.t('Utility tasks'), l10n.t('Titles, commit messages, and summaries')];
    case 'suggestions':
      return [l10n.t('Inline suggestions'), l10n.t('Completes code as you type')];
  }
}
