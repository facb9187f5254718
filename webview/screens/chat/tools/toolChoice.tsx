import { useId } from 'preact/hooks';
import type { ToolChoiceForm } from '../../../../src/protocol/chatTools';
import { fill } from '../../../components/fill';
import type { Chat } from '../chatContext';

/** How the model may use the tools, in the API's terms. */
export function ToolChoice({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const id = useId();
  const state = session.tools.state.value;
  if (!state) return null;
  const { choice, groups } = state;
  const offered = groups.flatMap(({ kind, tools }) => (kind === 'gone' ? [] : tools.filter((tool) => tool.offered)));
  const isGone = choice.type === 'tool' && !offered.some((tool) => tool.id === choice.tool);
  return (
    <div class="tool-choice">
      <label class="parameter-label" for={id}>
        {strings.toolChoice}
      </label>
      <select
        id={id}
        class="parameter-input"
        title={strings.toolChoice}
        value={toValue(choice)}
        onChange={(event) =>
          void session.tools.choose({ ...fromValue(event.currentTarget.value), single: choice.single })
        }
      >
        <option value="unset">{strings.choiceUnset}</option>
        <option value="auto">{strings.choiceAuto}</option>
        <option value="any">{strings.choiceAny}</option>
        <option value="none">{strings.choiceNone}</option>
        {offered.map((tool) => (
          <option key={tool.id} value={`tool:${tool.id}`}>
            {fill(strings.choiceTool, tool.name)}
          </option>
        ))}
        {isGone && <option value={toValue(choice)}>{fill(strings.choiceTool, strings.choiceGone)}</option>}
      </select>
      <label class="tool-single">
        <input
          type="checkbox"
          checked={choice.single}
          disabled={choice.type === 'none'}
          onChange={(event) => void session.tools.choose({ ...choice, single: event.currentTarget.checked })}
        />
        {strings.singleCall}
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
