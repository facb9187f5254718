import * as l10n from '@vscode/l10n';
import { ComboBox } from '../../components/comboBox';
import { FieldBelow } from '../../components/fieldBelow';
import { nameFault, type NameFault } from './form';
import type { UploadSession } from './session';

/** The voice's name, its model, and how it is sent. */
export function VoiceFields({ session }: { readonly session: UploadSession }) {
  const form = session.form.value;
  const fault = nameFault(form);
  return (
    <>
      <div class="send-field">
        <label for="sample-name">{l10n.t('Name')}</label>
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
        <FieldBelow id="sample-name-about" fault={fault && nameFaultText(fault)}>
          {l10n.t('Becomes part of the URI of the voice. At most 64 characters, without a colon.')}
        </FieldBelow>
      </div>
      <div class="send-field">
        <label for="sample-model">{l10n.t('Model')}</label>
        <ComboBox
          id="sample-model"
          value={form.model}
          items={session.models.value}
          words={{
            show: l10n.t('Show models'),
            noMatch: l10n.t('No model of the list fits. The id is sent as it is typed.'),
            placeholder: l10n.t('Id of a speech model'),
          }}
          describedBy="sample-model-about"
          onOpen={() => void session.loadModels()}
          onChange={(model) => session.change({ model })}
        />
        <FieldBelow id="sample-model-about" fault={undefined}>
          {l10n.t('The voice can be used with this model only. Any id is sent as it is typed.')}
        </FieldBelow>
      </div>
      <Way session={session} />
    </>
  );
}

function Way({ session }: { readonly session: UploadSession }) {
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
      <legend>{l10n.t('Send as')}</legend>
      {choice('file', l10n.t('File'), l10n.t('Streamed from disk, as the reference describes.'))}
      {choice(
        'base64',
        l10n.t('Text in JSON (base64)'),
        l10n.t('A third larger. For services and proxies that take no forms.'),
      )}
    </fieldset>
  );
}

function nameFaultText(fault: NameFault): string {
  return fault === 'nameColon'
    ? l10n.t('A name may hold no colon: it separates the parts of the URI.')
    : l10n.t('A name has at most 64 characters.');
}
