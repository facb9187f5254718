import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import type { Chat } from './chatContext';

/** An empty conversation: an introduction, and examples, which fill the question box without being sent. */
export function Empty({ chat: { session, strings } }: { readonly chat: Chat }) {
  const begin = (example: string) => {
    session.draft.set(example);
    document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  const notice = session.page.value?.notice;
  return (
    <div class="welcome">
      {notice && <Note tone="warning" {...notice} onAct={(action) => void session.act(action)} />}
      <h2 class="welcome-title">{strings.emptyTitle}</h2>
      <p class="welcome-detail">{fill(strings.emptyDetail, session.page.value?.profileName ?? '')}</p>
      <ul class="examples" aria-label={strings.examplesLabel}>
        {[strings.example1, strings.example2, strings.example3].map((example) => (
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
  const { session, strings } = chat;
  const trouble = session.trouble.value;
  return (
    <div class="welcome welcome-page">
      <h1 class="welcome-title">{strings.signedOutTitle}</h1>
      <p class="welcome-detail">{strings.signedOutDetail}</p>
      <SignInButtons chat={chat} />
      <button type="button" class="link" onClick={() => void session.act('getStarted')}>
        {strings.getStarted}
      </button>
      {trouble && <Note tone="error" {...trouble} onAct={(action) => void session.act(action)} />}
    </div>
  );
}

/** Replaces the composer below an earlier conversation while signed out. */
export function SignedOutBar({ chat }: { readonly chat: Chat }) {
  return (
    <div class="composer signed-out-bar">
      <p class="welcome-detail">{chat.strings.signedOutNote}</p>
      <SignInButtons chat={chat} />
    </div>
  );
}

function SignInButtons({ chat: { session, strings } }: { readonly chat: Chat }) {
  return (
    <div class="welcome-actions">
      <vscode-button appearance="primary" onClick={() => void session.act('signIn')}>
        {strings.signIn}
      </vscode-button>
      <vscode-button appearance="secondary" onClick={() => void session.act('tryDemo')}>
        {strings.tryDemo}
      </vscode-button>
    </div>
  );
}
