import { useEffect, useRef } from 'preact/hooks';
import { ModelBox } from '../../components/modelBox';
import { Parameter, FieldNote } from '../../components/parameter';
import { ChoiceField, NumberField, TextField } from '../../components/parameterFields';
import { isSendKey, ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import { fieldOf, noteOf } from './fields';
import type { Images } from './imagesContext';
import { InputImage } from './inputImage';
import { SeveralPanel } from './severalPanel';
import { RatioField, SizeField } from './sizeField';
import { IconButton } from '../../components/iconButton';
import { randomSeed } from '../randomSeed';
import { LastCost } from '../../components/lastCost';
import { inputFields, type ImageField, type InputField } from '../../../src/protocol/images';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { pageList } from '../../components/pageLanguage';

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

/** The seed, with a button that randomizes it. Without a seed, the service chooses one. */
function SeedField({ images }: { readonly images: Images }) {
  const { strings } = images;
  const field = fieldOf(images, 'seed');
  return (
    <NumberField {...field} id="seed" label={strings.seed} placeholder={strings.seedRandom}>
      <IconButton icon="refresh" label={strings.throwSeed} onClick={() => field.onInput(randomSeed(Math.random()))} />
      {field.value !== '' && <IconButton icon="close" label={strings.emptySeed} onClick={() => field.onInput('')} />}
    </NumberField>
  );
}

/** The button that sends, and how many images that generates. */
function SendBar({ images: { session, strings } }: { readonly images: Images }) {
  const { plan, issues } = session.typed.answer.value;
  const page = session.page.value;
  const isOrdering = session.isOrdering.value;
  const wrong = Object.values(issues)[0];
  const cost = page?.costs.find(({ model }) => model === session.typed.form.value.model);
  const canSend = page !== undefined && !isOrdering;
  return (
    <div class="images-send">
      <vscode-button
        appearance="primary"
        title={strings.generateHint}
        aria-describedby="plan"
        disabled={!canSend}
        onKeyDown={ignoreHeldEnter}
        onClick={(event: MouseEvent) => canSend && isFirstClick(event) && void session.generate()}
      >
        {strings.generate}
      </vscode-button>
      <span class="images-plan" id="plan" aria-live="polite">
        {isOrdering ? strings.ordering : (wrong ?? plan)}{' '}
        {page && plan !== '' && wrong === undefined && (
          <button type="button" class="link" onClick={() => session.act('paceSetting')}>
            {page.pace}
          </button>
        )}
        {cost && <LastCost cost={cost} />}
      </span>
    </div>
  );
}

const numbers = ['batch_size', 'num_inference_steps', 'guidance_scale', 'cfg', 'safety_tolerance'] as const;
const others = ['image2', 'image3', 'input_image'] as const satisfies readonly InputField[];
const inMore: readonly ImageField[] = [...numbers, 'negative_prompt', 'aspect_ratio', 'prompt_upsampling', ...others];

/** Options that only some models support. One that the current model is known not to support says so and keeps its value. */
function MoreOptions({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const { notTaken, ratios, issues } = session.typed.answer.value;
  const form = session.typed.form.value;
  const set = inMore.filter((field) => form[field] !== '' && notTaken[field] === undefined).length;
  const isWrong = inMore.some((field) => issues[field] !== undefined);
  return (
    <details class="images-more" open={isWrong || undefined}>
      <summary class="images-summary">
        <Icon name="chevron-right" />
        {set === 0 ? strings.more : fill(strings.moreSet, set)}
      </summary>
      <div class="images-more-body">
        <TextField {...fieldOf(images, 'negative_prompt')} label={strings.negative_prompt} />
        <div class="parameters-numbers">
          {numbers.map((field) => (
            <NumberField
              key={field}
              {...fieldOf(images, field)}
              label={strings[field]}
              hint={strings[`${field}_hint`]}
            />
          ))}
          {ratios.length === 0 && (
            <NumberField {...fieldOf(images, 'aspect_ratio')} label={strings.ratio} hint={strings.ratioHint} />
          )}
        </div>
        <Upsampling images={images} />
        {notTaken.image !== undefined && <NotTakenInput images={images} />}
        {others.map((field) =>
          notTaken[field] === undefined ? (
            <InputImage key={field} images={images} field={field} label={strings[field]} />
          ) : null,
        )}
      </div>
    </details>
  );
}

function Upsampling({ images }: { readonly images: Images }) {
  const { strings } = images;
  const { value, note, disabled, onInput } = fieldOf(images, 'prompt_upsampling');
  return (
    <ChoiceField
      label={strings.prompt_upsampling}
      value={value}
      choices={[
        { value: '', label: strings.notSet },
        { value: 'on', label: strings.on },
        { value: 'off', label: strings.off },
      ]}
      note={note}
      disabled={disabled}
      onChoose={onInput}
    />
  );
}

/** Says why the model takes none of the possible input images. */
function NotTakenInput({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const { notTaken } = session.typed.answer.value;
  const ones = inputFields.filter((field) => notTaken[field] !== undefined);
  return (
    <div class="parameter">
      <span class="parameter-label">{pageList(ones.map((field) => strings[field]))}</span>
      <FieldNote id="not-taken-input" notTaken={notTaken.image} />
    </div>
  );
}
