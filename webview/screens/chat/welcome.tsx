import * as l10n from '@vscode/l10n';
import { Note } from '../../components/note';
import type { EditorContext } from '../../../src/protocol/chatOffers';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { pageNumber } from '../../components/pageLanguage';
import type { Chat } from './chatContext';

/** An empty conversation: an introduction, and examples, which fill the question box without being sent. */
export function Empty({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const isDemo = session.page.value?.isDemo === true;
  const begin = (example: string) => {
    session.draft.set(example);
    document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  const notice = session.page.value?.notice;
  const context = session.attachments.context.value;
  const take = async (command: Suggestion['command']) => {
    const text = await session.offers.takeCommand(command);
    if (text !== undefined) begin(text);
  };
  return (
    <div class="welcome">
      {notice && <Note tone="warning" {...notice} onAct={(action) => void session.act(action)} />}
      <h2 class="welcome-title">{titleFor(context)}</h2>
      <p class="welcome-detail">
        {l10n.t('Messages go only to {0}. Conversations stay on this machine.', session.page.value?.profileName ?? '')}
      </p>
      {context ? (
        <ul class="examples" aria-label={l10n.t('Suggestions')}>
          {suggestionsFor(context).map(({ command, label, icon }) => (
            <li key={command}>
              <button type="button" class="example" onClick={() => void take(command)}>
                <Icon name={icon} />
                {label}
                <span class="example-command" aria-hidden="true">{`/${command}`}</span>
              </button>
            </li>
          ))}
          {isDemo && <Tour chat={chat} />}
        </ul>
      ) : (
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
          {isDemo && <Tour chat={chat} />}
        </ul>
      )}
    </div>
  );
}

/** In the demo, which those have who look around. */
function Tour({ chat }: { readonly chat: Chat }) {
  return (
    <li>
      <button type="button" class="example" onClick={() => void chat.session.act('getStarted')}>
        <Icon name="compass" />
        {l10n.t('Get Started')}
      </button>
    </li>
  );
}

const fileName = ({ file }: EditorContext): string => file.slice(file.lastIndexOf('/') + 1);

function titleFor(context: EditorContext | undefined): string {
  if (!context) return l10n.t('Start a conversation');
  return context.selection === undefined
    ? l10n.t('Start a conversation about {0}', fileName(context))
    : l10n.t('Start a conversation about your selection in {0}', fileName(context));
}

interface Suggestion {
  /** The name of a command after `/`. */
  readonly command: 'explain' | 'fix' | 'tests' | 'edit';
  readonly label: string;
  readonly icon: IconName;
}

function suggestionsFor(context: EditorContext): readonly Suggestion[] {
  const name = fileName(context);
  const isPart = context.selection !== undefined;
  const { problems } = context;
  const fix =
    problems === 1
      ? l10n.t('Fix the problem in {0}', name)
      : l10n.t('Fix {0} problems in {1}', pageNumber(problems), name);
  return [
    {
      command: 'explain',
      label: isPart ? l10n.t('Explain the selection') : l10n.t('Explain {0}', name),
      icon: 'question',
    },
    ...(problems > 0 ? [{ command: 'fix', label: fix, icon: 'warning' } as const] : []),
    {
      command: 'tests',
      label: isPart ? l10n.t('Add tests for the selection') : l10n.t('Add tests for {0}', name),
      icon: 'beaker',
    },
    ...(isPart ? [{ command: 'edit', label: l10n.t('Change the selection…'), icon: 'edit' } as const] : []),
  ];
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
