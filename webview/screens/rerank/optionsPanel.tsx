import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { mostOverlapTokens, type RerankField } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { NumberField, TextField } from '../../components/parameterFields';
import { notTakenBy } from './form';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

interface OptionsPanelProps {
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly session: RerankSession;
}

/** The parameters of the request. One that the model does not support keeps its value and says why it is not sent. */
export function OptionsPanel({ id, open, session }: OptionsPanelProps) {
  const { form } = session.typed;
  return (
    <BarPanel
      action="options"
      id={id}
      open={open}
      title={l10n.t('Options')}
      closeLabel={l10n.t('Close')}
      focus=":is(input, textarea):not(:disabled)"
    >
      <NumberField
        {...fieldOf(session, 'top_n')}
        label={l10n.t('Results wanted (top_n)')}
        hint={l10n.t('Only so many of the best come back. Not set: all of them.')}
      />
      <label class="check">
        <input
          type="checkbox"
          aria-describedby="return-hint"
          checked={form.value.return_documents}
          onChange={({ currentTarget }) => session.typed.edit({ return_documents: currentTarget.checked })}
        />
        {l10n.t('Send the documents back (return_documents)')}
      </label>
      <span class="parameter-hint rerank-below-check" id="return-hint">
        {l10n.t('The answer repeats the texts. The ranking looks the same without it.')}
      </span>
      <NumberField
        {...fieldOf(session, 'max_chunks_per_doc')}
        label={l10n.t('Chunks per document (max_chunks_per_doc)')}
        hint={l10n.t('A long document is cut into at most so many chunks; its best chunk counts.')}
      />
      <NumberField
        {...fieldOf(session, 'overlap_tokens')}
        label={l10n.t('Overlap of chunks in tokens (overlap_tokens)')}
        hint={l10n.t('0 to {0}: what one chunk repeats of the one before.', pageNumber(mostOverlapTokens))}
      />
      <TextField
        {...fieldOf(session, 'instruction')}
        label={l10n.t('Instruction (instruction)')}
        hint={l10n.t('How the model is to judge, in a sentence.')}
      />
    </BarPanel>
  );
}

function fieldOf(session: RerankSession, name: RerankField) {
  const page = session.page.value;
  const form = session.typed.form.value;
  const notTaken = page && notTakenBy(form, page)[name];
  const issue = notTaken === undefined ? session.typed.issues.value[name] : undefined;
  return {
    value: form[name],
    placeholder: l10n.t('Not set'),
    disabled: notTaken !== undefined,
    note: { issue, notTaken },
    onInput: (value: string) => session.typed.edit({ [name]: value }),
  };
}
