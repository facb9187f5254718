import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import type { ToolChoiceForm } from '../../../../src/protocol/chatTools';
import type { Chat } from '../chatContext';

/** How the model may use the tools, in the API's terms. */
export function ToolChoice({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const id = useId();
  const state = session.tools.state.value;
  if (!state) return null;
  const { choice, groups } = state;
  const offered = groups.flatMap(({ kind, tools }) => (kind === 'gone' ? [] : tools.filter((tool) => tool.offered)));
  const isGone = choice.type === 'tool' && !offered.some((tool) => tool.id === choice.tool);
  return (
    <div class="tool-choice">
      <label class="parameter-label" for={id}>
        {l10n.t('Tool choice')}
      </label>
      <select
        id={id}
        class="parameter-input"
        title={l10n.t('Tool choice')}
        value={toValue(choice)}
        onChange={(event) =>
          void session.tools.choose({ ...fromValue(event.currentTarget.value), single: choice.single })
        }
      >
        <option value="unset">{l10n.t('Not sent (the model decides)')}</option>
        <option value="auto">{l10n.t('auto: the model decides')}</option>
        <option value="any">{l10n.t('any: it must use one')}</option>
        <option value="none">{l10n.t('none: it must not use any')}</option>
        {offered.map((tool) => (
          <option key={tool.id} value={`tool:${tool.id}`}>
            {l10n.t('tool: it must use {0}', tool.name)}
          </option>
        ))}
        {isGone && (
          <option value={toValue(choice)}>{l10n.t('tool: it must use {0}', l10n.t('a tool that is gone'))}</option>
        )}
      </select>
      <label class="tool-single">
        <input
          type="checkbox"
          checked={choice.single}
          disabled={choice.type === 'none'}
          onChange={(event) => void session.tools.choose({ ...choice, single: event.currentTarget.checked })}
        />
        {l10n.t('At most one call at a time')}
      </label>
    </div>
  );
}

function toValue({ type, tool }: ToolChoiceForm): string {
  return type === 'tool' ? `tool:${tool}` : type;
}

function fromValue(value: string): Omit<ToolChoiceForm, 'single'> {
  if (value.startsWith('tool:')) return { type: 'tool', tool: value.slice('tool:'.length) };
  return { type: value as Exclude<ToolChoiceForm['type'], 'tool'> };
}
