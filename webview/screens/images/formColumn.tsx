import { useEffect, useRef } from 'preact/hooks';
import { ModelBox } from '../../components/modelBox';
import { Parameter } from '../../components/parameter';
import { ChoiceField } from '../../components/parameterFields';
import { isSendKey } from '../../components/sendOnce';
import { fieldOf, noteOf } from './fields';
import type { Images } from './imagesContext';
import { InputImage } from './inputImage';
import { MoreOptions } from './moreOptions';
import { SeedField } from './seedField';
import { SendBar } from './sendBar';
import { SeveralPanel } from './severalPanel';
import { RatioField, SizeField } from './sizeField';

/** The form for generating images. Ctrl+Enter (Cmd+Enter) anywhere in it submits it. */
export function FormColumn({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const { notTaken } = session.typed.answer.value;
  return (
    <form
      class="images-form"
      aria-label={strings.form}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isSendKey(event)) return;
        event.preventDefault();
        void session.generate();
      }}
    >
      <h1 class="images-title">{strings.title}</h1>
      <Prompt images={images} />
      <Model images={images} />
      {notTaken.image === undefined && <InputImage images={images} field="image" label={strings.image} />}
      {notTaken.image_size === undefined && <SizeField images={images} />}
      <RatioField images={images} />
      <SeedField images={images} />
      <Format images={images} />
      <SeveralPanel images={images} />
      <MoreOptions images={images} />
      <SendBar images={images} />
    </form>
  );
}

function Prompt({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const box = useRef<HTMLTextAreaElement>(null);
  const isThere = session.page.value !== undefined;
  useEffect(() => {
    if (isThere && document.hasFocus() && document.activeElement === document.body) box.current?.focus();
  }, [isThere]);
  const note = noteOf(images, 'prompt');
  return (
    <Parameter
      label={strings.prompt}
      note={note}
      control={(id, describedBy) => (
        <textarea
          ref={box}
          id={id}
          class="parameter-input images-prompt"
          dir="auto"
          rows={5}
          placeholder={strings.promptPlaceholder}
          aria-invalid={note.issue !== undefined}
          aria-describedby={describedBy}
          value={session.typed.form.value.prompt}
          onInput={({ currentTarget }) => session.typed.edit({ prompt: currentTarget.value })}
        />
      )}
    />
  );
}

function Model({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const page = session.page.value;
  const { model } = session.typed.form.value;
  return (
    <Parameter
      label={strings.model}
      title={model}
      note={noteOf(images, 'model')}
      control={(id, describedBy) => (
        <ModelBox
          id={id}
          value={model}
          models={page?.models.map((one) => ({ id: one }))}
          isLoading={page?.modelsAreLoading === true}
          words={strings}
          wanted={session.modelWanted.value}
          describedBy={describedBy}
          onChange={(value) => session.typed.edit({ model: value })}
        />
      )}
    />
  );
}

function Format({ images }: { readonly images: Images }) {
  const { strings } = images;
  const { value, note, disabled, onInput } = fieldOf(images, 'output_format');
  return (
    <ChoiceField
      label={strings.format}
      value={value}
      choices={[
        { value: '', label: strings.formatUsual },
        { value: 'png', label: 'PNG' },
        { value: 'jpeg', label: 'JPEG' },
      ]}
      note={note}
      disabled={disabled}
      onChoose={onInput}
    />
  );
}
