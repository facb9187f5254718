import type { Signal } from '@preact/signals';
import { mostOverlapTokens, type RerankField } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { fill } from '../../components/fill';
import { NumberField, TextField } from '../../components/parameterFields';
import { notTakenBy } from './form';
import type { Rerank } from './rerankContext';

interface OptionsPanelProps {
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly rerank: Rerank;
}

/** The parameters of the request. One that the model does not support keeps its value and says why it is not sent. */
export function OptionsPanel({ id, open, rerank }: OptionsPanelProps) {
  const { session, strings } = rerank;
  const { form } = session.typed;
  return (
    <BarPanel
      action="options"
      id={id}
      open={open}
      title={strings.options}
      closeLabel={strings.closePanel}
      focus=":is(input, textarea):not(:disabled)"
    >
      <NumberField {...fieldOf(rerank, 'top_n')} label={strings.topN} hint={strings.topNHint} />
      <label class="check">
        <input
          type="checkbox"
          aria-describedby="return-hint"
          checked={form.value.return_documents}
          onChange={({ currentTarget }) => session.typed.edit({ return_documents: currentTarget.checked })}
        />
        {strings.returnDocuments}
      </label>
      <span class="parameter-hint rerank-below-check" id="return-hint">
        {strings.returnDocumentsHint}
      </span>
      <NumberField {...fieldOf(rerank, 'max_chunks_per_doc')} label={strings.maxChunks} hint={strings.maxChunksHint} />
      <NumberField
        {...fieldOf(rerank, 'overlap_tokens')}
        label={strings.overlap}
        hint={fill(strings.overlapHint, mostOverlapTokens)}
      />
      <TextField {...fieldOf(rerank, 'instruction')} label={strings.instruction} hint={strings.instructionHint} />
    </BarPanel>
  );
}

function fieldOf({ session, strings }: Rerank, name: RerankField) {
  const page = session.page.value;
  const form = session.typed.form.value;
  const notTaken = page && notTakenBy(form, page)[name];
  const issue = notTaken === undefined ? session.typed.issues.value[name] : undefined;
  return {
    value: form[name],
    placeholder: strings.notSet,
    disabled: notTaken !== undefined,
    note: { issue, notTaken },
    onInput: (value: string) => session.typed.edit({ [name]: value }),
  };
}
