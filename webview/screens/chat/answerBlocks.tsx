import * as l10n from '@vscode/l10n';
import { computed, type ReadonlySignal } from '@preact/signals';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { PlainText } from '../../components/plainText';
import { Markdown } from '../../markdown/markdown';
import type { Chat } from './chatContext';
import { type BlockView, isRunning, type TurnView } from './conversation';
import { spoken } from './spoken';
import { ToolCall } from './tools/toolCall';

export function AnswerBlocks({ chat, turn }: { readonly chat: Chat; readonly turn: TurnView }) {
  return (
    <>
      {turn.blocks.value.map((block, index) => (
        <Block key={index} chat={chat} turn={turn} block={block} index={index} />
      ))}
    </>
  );
}

interface BlockProps {
  readonly chat: Chat;
  readonly turn: TurnView;
  readonly block: BlockView;
  readonly index: number;
}

function Block({ chat, turn, block, index }: BlockProps) {
  const ended = useMemo(
    () => computed(() => !isRunning(turn.facts.value) || isFollowed(turn.blocks.value, index)),
    [turn, index],
  );
  switch (block.kind) {
    case 'text':
      return <AnswerText chat={chat} block={block} ended={ended} />;
    case 'thinking':
      return (
        <Folded
          icon={undefined}
          label={ended.value ? l10n.t('Thought') : l10n.t('Thinking')}
          text={block.text}
          kind="prose"
        />
      );
    case 'toolUse':
      if (block.call.value) return <ToolCall chat={chat} turn={turn} block={block} index={index} />;
      return <Folded icon="tools" label={l10n.t('Tool call: {0}', block.name ?? '')} text={block.text} kind="code" />;
    case 'image':
      return <AnswerImage source={block.source ?? ''} description={block.text.value} />;
    case 'other':
      return <Folded icon="json" label={l10n.t('Content type: {0}', block.name ?? '')} text={block.text} kind="code" />;
  }
}

/** Whether a block no longer grows. Text may continue after a thinking block, because a continued answer is thought about first. */
function isFollowed(blocks: readonly BlockView[], index: number): boolean {
  const later = blocks.slice(index + 1);
  return blocks[index]?.kind === 'text' ? later.some(({ kind }) => kind !== 'thinking') : later.length > 0;
}

function AnswerText({
  chat,
  block,
  ended,
}: {
  readonly chat: Chat;
  readonly block: BlockView;
  readonly ended: ReadonlySignal<boolean>;
}) {
  const { renderer, colours, announcer } = chat;
  // Only text that arrives while the user waits is announced, not a conversation that is opened.
  const isLive = useLiveness(block, ended);
  const speak = useCallback(
    (element: Element) => isLive.current && announcer.say(spoken(element)),
    [isLive, announcer],
  );
  const { text, step } = useDemoStep(chat, block);
  return (
    <>
      <Markdown renderer={renderer} canInsert colours={colours} text={text} ended={ended} onSettled={speak} />
      {step.value && (
        <button type="button" class="demo-step" onClick={() => void chat.session.act(step.peek()?.action ?? '')}>
          {step.value.title}
        </button>
      )}
    </>
  );
}

/** Longer than any such link. Only the end is searched, because each piece of an answer is. */
const longestLink = 200;
/** A link to a command at the end of an answer. */
const commandLink = /\n\n\[([^\]\n]{1,80})\]\(command:(inferenceDesk\.[\w.]{1,60})\)\s*$/;
/** The same while it arrives. */
const partialLink = /\n\n\[[^\]\n]{0,80}(?:\](?:\((?:[\w.:]{0,80}\)?)?)?)?$/;

/** Splits the button that an answer of the demo service ends with from its text. Text of other services stays as it is. */
function useDemoStep({ session }: Chat, { text }: BlockView) {
  return useMemo(() => {
    const isDemo = computed(() => session.page.value?.isDemo === true);
    return {
      text: computed(() => {
        const link = isDemo.value && partialLink.exec(text.value.slice(-longestLink));
        return link ? text.value.slice(0, -link[0].length) : text.value;
      }),
      step: computed(() => {
        const [, title, command] = (isDemo.value && commandLink.exec(text.value.slice(-longestLink))) || [];
        return title === undefined || command === undefined ? undefined : { title, action: `demoStep:${command}` };
      }),
    };
  }, [session, text]);
}

/** The content of an answer before it was continued is rendered within two frames, because it was announced when it arrived. */
function useLiveness(block: BlockView, ended: ReadonlySignal<boolean>): { readonly current: boolean } {
  const isLive = useMemo(() => ({ current: !ended.peek() && !block.wasThere }), [block, ended]);
  useEffect(() => {
    if (isLive.current || ended.peek()) return undefined;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => (isLive.current = true));
    });
    return () => cancelAnimationFrame(frame);
  }, [isLive, ended]);
  return isLive;
}

/** An image that came with its bytes. One on the web is not loaded, because its host would learn of it. */
function AnswerImage({ source, description }: { readonly source: string; readonly description: string }) {
  const name = description || l10n.t('Generated image');
  if (/^data:image\/(png|jpeg|webp|gif);base64,/.test(source)) {
    return <img class="answer-image" src={source} alt={name} title={name} />;
  }
  return (
    <p class="facts">
      <Icon name="file-media" />
      {/^https?:/.test(source) ? (
        <a class="answer-link" href={source} title={source}>
          {l10n.t('Open Image Link')}
        </a>
      ) : (
        l10n.t("This image format isn't supported.")
      )}
    </p>
  );
}

interface FoldedProps {
  readonly icon: IconName | undefined;
  readonly label: string;
  readonly text: ReadonlySignal<string>;
  readonly kind: 'prose' | 'code';
}

/** Content besides the answer itself, collapsed to one line until it is opened. */
function Folded({ icon, label, text, kind }: FoldedProps) {
  return (
    <details class="folded">
      <summary class="folded-label">
        <Icon name="chevron-right" />
        {icon && <Icon name={icon} />}
        {label}
      </summary>
      <PlainText class={`folded-text folded-${kind}`} text={text} />
    </details>
  );
}
