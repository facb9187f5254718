import { ComboBox } from '../../components/comboBox';
import { FieldBelow } from '../../components/fieldBelow';
import { nameFault } from './form';
import type { Upload } from './uploadContext';

/** The voice's name, its model, and how it is sent. */
export function VoiceFields({ upload }: { readonly upload: Upload }) {
  const { session, strings } = upload;
  const form = session.form.value;
  const fault = nameFault(form);
  return (
    <>
      <div class="send-field">
        <label for="sample-name">{strings.name}</label>
        <input
          id="sample-name"
          class="parameter-input"
          type="text"
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          value={form.name}
          aria-invalid={fault !== undefined}
          aria-describedby="sample-name-about"
          onInput={({ currentTarget }) => session.change({ name: currentTarget.value })}
        />
        <FieldBelow id="sample-name-about" fault={fault && strings[fault]}>
          {strings.nameHint}
        </FieldBelow>
      </div>
      <div class="send-field">
        <label for="sample-model">{strings.model}</label>
        <ComboBox
          id="sample-model"
          value={form.model}
          items={session.models.value}
          words={{ show: strings.showModels, noMatch: strings.noModels, placeholder: strings.modelPlaceholder }}
          describedBy="sample-model-about"
          onOpen={() => void session.loadModels()}
          onChange={(model) => session.change({ model })}
        />
        <FieldBelow id="sample-model-about" fault={undefined}>
          {strings.modelHint}
        </FieldBelow>
      </div>
      <Way upload={upload} />
    </>
  );
}

function Way({ upload: { session, strings } }: { readonly upload: Upload }) {
  const { way } = session.form.value;
  const choice = (value: typeof way, label: string, hint: string) => (
    <label class="check send-choice">
      <input type="radio" name="way" checked={way === value} onChange={() => session.change({ way: value })} />
      <span>
        {label}
        <span class="send-hint">{hint}</span>
      </span>
    </label>
  );
  return (
    <fieldset class="send-field">
      <legend>{strings.way}</legend>
      {choice('file', strings.wayFile, strings.wayFileHint)}
      {choice('base64', strings.wayBase64, strings.wayBase64Hint)}
    </fieldset>
  );
}
