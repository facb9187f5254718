import * as l10n from '@vscode/l10n';
import { Note } from '../../components/note';
import type { Chat } from './chatContext';

/** An empty conversation: an introduction, and examples, which fill the question box without being sent. */
export function Empty({ chat: { session } }: { readonly chat: Chat }) {
  const begin = (example: string) => {
    session.draft.set(example);
    document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  const notice = session.page.value?.notice;
  return (
    <div class="welcome">
      {notice && <Note tone="warning" {...notice} onAct={(action) => void session.act(action)} />}
      <h2 class="welcome-title">{l10n.t('Start a conversation')}</h2>
      <p class="welcome-detail">
        {l10n.t(
          'Messages are sent only to {0}. Conversations are stored on this machine.',
          session.page.value?.profileName ?? '',
        )}
      </p>
      <ul class="examples" aria-label={l10n.t('Examples')}>
        {[
          l10n.t('Explain what a rate limit in tokens per minute means'),
          l10n.t('Write a Python function that merges two sorted lists'),
          l10n.t('Compare JSON Lines and CSV in a table'),
        ].map((example) => (
          <li key={example}>
            <button type="button" class="example" onClick={() => begin(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shown without an API key: an introduction, and two ways to begin. */
export function SignedOut({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const error = session.error.value;
  return (
    <div class="welcome welcome-page">
      <h1 class="welcome-title">{l10n.t('Chat with hosted models')}</h1>
      <p class="welcome-detail">{l10n.t('Sign in with an API key, or try the free demo service.')}</p>
      <SignInButtons chat={chat} />
      <button type="button" class="link" onClick={() => void session.act('getStarted')}>
        {l10n.t('Get Started')}
      </button>
      {error && <Note tone="error" {...error} onAct={(action) => void session.act(action)} />}
    </div>
  );
}

/** Replaces the composer below an earlier conversation while signed out. */
export function SignedOutBar({ chat }: { readonly chat: Chat }) {
  return (
    <div class="composer signed-out-bar">
      <p class="welcome-detail">{l10n.t('Sign in to continue this conversation.')}</p>
      <SignInButtons chat={chat} />
    </div>
  );
}

function SignInButtons({ chat: { session } }: { readonly chat: Chat }) {
  return (
    <div class="welcome-actions">
      <vscode-button appearance="primary" onClick={() => void session.act('signIn')}>
        {l10n.t('Sign In')}
      </vscode-button>
      <vscode-button appearance="secondary" onClick={() => void session.act('tryDemo')}>
        {l10n.t('Start Demo Service')}
      </vscode-button>
    </div>
  );
}
