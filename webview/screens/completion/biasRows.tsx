import * as l10n from '@vscode/l10n';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { BiasIssue, CompletionBias, CompletionView } from '../../../src/protocol/completion';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { FieldNote } from '../../components/parameter';
import type { FieldNoteProps } from '../../components/parameter';
import type { CompletionSession } from './session';

interface BiasRowsProps {
  readonly session: CompletionSession;
  readonly view: CompletionView;
  readonly note: FieldNoteProps;
}

/** A row for each token whose likelihood is changed. */
export function BiasRows({ session, view, note }: BiasRowsProps) {
  const group = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = session.form.value?.logit_bias ?? [];
  const count = useRef(rows.length);
  // Focuses a row that was added, so that it can be filled in.
  useLayoutEffect(() => {
    const isAdded = rows.length === count.current + 1 && rows.at(-1)?.token === '';
    count.current = rows.length;
    if (isAdded) group.current?.querySelector<HTMLInputElement>('.bias:last-of-type input')?.focus();
  }, [rows.length]);
  const set = (changed: readonly CompletionBias[]) => session.edit({ logit_bias: changed });
  const remove = (index: number) => {
    set(rows.toSpliced(index, 1));
    requestAnimationFrame(() => {
      const left = group.current?.querySelectorAll<HTMLElement>('.bias');
      const next = left?.[Math.max(0, index - 1)]?.querySelector<HTMLElement>('input');
      (next ?? group.current?.querySelector<HTMLElement>('.parameter-add'))?.focus();
    });
  };
  return (
    <div class="parameter" role="group" aria-labelledby={id} aria-describedby={`${id}-hint ${id}-note`} ref={group}>
      <span class="parameter-label" id={id}>
        {l10n.t('Bias of tokens (logit_bias)')}
      </span>
      {rows.map((row, index) => (
        <BiasRow
          key={index}
          row={row}
          index={index}
          issue={view.isBroken ? undefined : view.biasIssues[index]}
          disabled={view.isBroken}
          onChange={(part) => set(rows.with(index, { ...row, ...part }))}
          onRemove={() => remove(index)}
        />
      ))}
      {!view.isBroken && (
        <button type="button" class="link parameter-add" onClick={() => set([...rows, { token: '', bias: '' }])}>
          <Icon name="add" />
          {l10n.t('Add a bias')}
        </button>
      )}
      <span class="parameter-hint" id={`${id}-hint`}>
        {rows.length > 0 && l10n.t('−100 bans a token, 100 forces it. Ids are those of the tokenizer of the model.')}
      </span>
      <FieldNote id={`${id}-note`} {...note} />
    </div>
  );
}

interface BiasRowProps {
  readonly row: CompletionBias;
  readonly index: number;
  readonly issue: BiasIssue | undefined;
  readonly disabled: boolean;
  readonly onChange: (part: Partial<CompletionBias>) => void;
  readonly onRemove: () => void;
}

function BiasRow({ row, index, issue, disabled, onChange, onRemove }: BiasRowProps) {
  const id = useId();
  const number = String(index + 1);
  const box = (name: keyof CompletionBias, label: string, placeholder: string) => (
    <input
      class="parameter-input"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      disabled={disabled}
      placeholder={placeholder}
      aria-label={label}
      aria-invalid={issue?.box === name}
      aria-describedby={`${id}-note`}
      value={row[name]}
      onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
  return (
    <div class="bias parameter-number">
      <div class="bias-boxes">
        {box('token', l10n.t('Token id of bias {0}', number), l10n.t('Token id'))}
        {box('bias', l10n.t('Bias {0}', number), l10n.t('Bias'))}
        {!disabled && (
          <IconButton icon="close" label={l10n.t('Remove bias {0}', row.token || number)} onClick={onRemove} />
        )}
      </div>
      <FieldNote id={`${id}-note`} issue={issue?.text} />
    </div>
  );
}
