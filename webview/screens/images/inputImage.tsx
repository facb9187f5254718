import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { InputField } from '../../../src/protocol/images';
import { carriesFiles } from '../../components/droppedAddresses';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { FieldNote } from '../../components/parameter';
import { noteOf } from './fields';
import type { ImagesSession } from './session';

interface InputPictureProps {
  readonly session: ImagesSession;
  readonly field: InputField;
  readonly label: string;
}

/** An input image: chosen, dropped or pasted. */
export function InputImage({ session, field, label }: InputPictureProps) {
  const id = useId();
  const isOver = useSignal(false);
  const note = noteOf(session, field);
  const onOver = (event: DragEvent) => {
    if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
    // The editor does not handle a drag that the page has accepted.
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    isOver.value = true;
  };
  const take = (event: Event, data: DataTransfer | null) => {
    isOver.value = false;
    if (!data || !carriesFiles(data)) return;
    event.preventDefault();
    void session.giveInput(field, data);
  };
  return (
    <div class="parameter" role="group" aria-labelledby={`${id}-label`}>
      <span class="parameter-label" id={`${id}-label`}>
        {label}
      </span>
      <div
        class="images-input"
        data-over={isOver.value}
        onDragEnter={onOver}
        onDragOver={onOver}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => take(event, event.dataTransfer)}
        onPaste={(event) => take(event, event.clipboardData)}
      >
        <Choice session={session} field={field} label={label} id={id} />
      </div>
      <FieldNote id={`${id}-note`} {...note} />
    </div>
  );
}

function Choice({ session, field, label, id }: InputPictureProps & { readonly id: string }) {
  const value = session.typed.form.value[field];
  return (
    <>
      {value !== '' && <Given session={session} value={value} />}
      <button
        type="button"
        class="link images-input-choose"
        id={`${id}-choose`}
        aria-labelledby={`${id}-choose ${id}-label`}
        aria-describedby={`${id}-note`}
        onClick={() => void session.chooseInput(field)}
      >
        {value === '' ? (
          <>
            <Icon name="file-media" /> {l10n.t('Select, drop, or paste an image')}
          </>
        ) : (
          l10n.t('Replace…')
        )}
      </button>
      {value !== '' && (
        <IconButton
          icon="close"
          label={l10n.t('Remove: {0}', label)}
          onClick={() => session.typed.edit({ [field]: '' })}
        />
      )}
    </>
  );
}

function Given({ session, value }: { readonly session: ImagesSession; readonly value: string }) {
  const input = session.page.value?.inputs[value];
  if (!input) return <span class="images-input-facts">{l10n.t("The image isn't saved on this machine")}</span>;
  return (
    <>
      <img class="images-input-picture" src={input.uri} alt={l10n.t('Input image')} />
      <span class="images-input-facts">{input.facts}</span>
    </>
  );
}
