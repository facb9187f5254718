import * as l10n from '@vscode/l10n';
import { useId, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { pageList, pageNumber } from '../../components/pageLanguage';
import { ModelBox } from '../../components/modelBox';
import { FieldNote, Parameter } from '../../components/parameter';
import { ChoiceField, NumberField, TextField } from '../../components/parameterFields';
import { ignoreHeldEnter, isFirstClick, isSendKey } from '../../components/sendOnce';
import { IconButton } from '../../components/iconButton';
import { randomSeed } from '../randomSeed';
import { LastCost } from '../../components/lastCost';
import { inputFields } from '../../../src/protocol/imageForm';
import type { ImageField, InputField } from '../../../src/protocol/images';
import { Icon } from '../../components/icon';
import { useFocusAtStart } from '../../components/focus';
import { carriesFiles } from '../../components/droppedAddresses';
import { fieldOf, noteOf } from './fields';
import type { ImagesSession } from './session';
import { RatioField, SizeField, ShapeButton } from './sizeField';

/** The form for generating images. Ctrl+Enter (Cmd+Enter) anywhere in it submits it. */
export function FormColumn({ session }: { readonly session: ImagesSession }) {
  const { notTaken } = session.typed.answer.value;
  return (
    <form
      class="images-form"
      aria-label={l10n.t('New images')}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isSendKey(event)) return;
        event.preventDefault();
        void session.generate();
      }}
    >
      <h1 class="images-title">{l10n.t('Images')}</h1>
      <Prompt session={session} />
      <Model session={session} />
      {notTaken.image === undefined && <InputImage session={session} field="image" label={inputLabel('image')} />}
      {notTaken.image_size === undefined && <SizeField session={session} />}
      <RatioField session={session} />
      <SeedField session={session} />
      <Format session={session} />
      <SeveralPanel session={session} />
      <MoreOptions session={session} />
      <SendBar session={session} />
    </form>
  );
}

function Prompt({ session }: { readonly session: ImagesSession }) {
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusAtStart(box, session.page.value !== undefined);
  const note = noteOf(session, 'prompt');
  return (
    <Parameter
      label={l10n.t('Prompt')}
      note={note}
      control={(id, describedBy) => (
        <textarea
          ref={box}
          id={id}
          class="parameter-input images-prompt"
          dir="auto"
          rows={5}
          placeholder={l10n.t('A lighthouse at dusk, watercolor')}
          aria-invalid={note.issue !== undefined}
          aria-describedby={describedBy}
          value={session.typed.form.value.prompt}
          onInput={({ currentTarget }) => session.typed.edit({ prompt: currentTarget.value })}
        />
      )}
    />
  );
}

function Model({ session }: { readonly session: ImagesSession }) {
  const page = session.page.value;
  const { model } = session.typed.form.value;
  return (
    <Parameter
      label={l10n.t('Model')}
      title={model}
      note={noteOf(session, 'model')}
      control={(id, describedBy) => (
        <ModelBox
          id={id}
          value={model}
          models={page?.models.map((one) => ({ id: one }))}
          isLoading={page?.modelsAreLoading === true}
          focusRequests={session.focusRequests.value}
          describedBy={describedBy}
          onChange={(value) => session.typed.edit({ model: value })}
        />
      )}
    />
  );
}

function Format({ session }: { readonly session: ImagesSession }) {
  const { value, note, disabled, onInput } = fieldOf(session, 'output_format');
  return (
    <ChoiceField
      label={l10n.t('File format')}
      value={value}
      choices={[
        { value: '', label: l10n.t('Default format') },
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
function SeedField({ session }: { readonly session: ImagesSession }) {
  const field = fieldOf(session, 'seed');
  return (
    <NumberField {...field} id="seed" label={l10n.t('Seed')} placeholder={l10n.t('Random')}>
      <IconButton
        icon="refresh"
        label={l10n.t('Generate Random Seed')}
        onClick={() => field.onInput(randomSeed(Math.random()))}
      />
      {field.value !== '' && (
        <IconButton icon="close" label={l10n.t('Use Random Seed')} onClick={() => field.onInput('')} />
      )}
    </NumberField>
  );
}

/** The button that sends, and how many images that generates. */
function SendBar({ session }: { readonly session: ImagesSession }) {
  const { plan, issues } = session.typed.answer.value;
  const page = session.page.value;
  const isOrdering = session.isOrdering.value;
  const wrong = Object.values(issues)[0];
  const cost = page?.cost;
  const canSend = page !== undefined && !page.isNotOffered && !isOrdering;
  const planText = page?.isNotOffered ? '' : (wrong ?? plan);
  const stateText = isOrdering ? l10n.t('Submitting…') : page ? planText : l10n.t('Loading…');
  return (
    <div class="images-send">
      <vscode-button
        appearance="primary"
        title={l10n.t('Generate (Ctrl+Enter)')}
        aria-describedby="plan"
        disabled={!canSend}
        onKeyDown={ignoreHeldEnter}
        onClick={(event: MouseEvent) => canSend && isFirstClick(event) && void session.generate()}
      >
        {l10n.t('Generate')}
      </vscode-button>
      <span class="images-plan" id="plan" aria-live="polite">
        {stateText}{' '}
        {page && !page.isNotOffered && plan !== '' && wrong === undefined && (
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
function MoreOptions({ session }: { readonly session: ImagesSession }) {
  const { notTaken, ratios, issues } = session.typed.answer.value;
  const form = session.typed.form.value;
  const set = inMore.filter((field) => form[field] !== '' && notTaken[field] === undefined).length;
  const isWrong = inMore.some((field) => issues[field] !== undefined);
  return (
    <details class="images-more" open={isWrong || undefined}>
      <summary class="images-summary">
        <Icon name="chevron-right" />
        {set === 0 ? l10n.t('More') : l10n.t('More ({0} set)', pageNumber(set))}
      </summary>
      <div class="images-more-body">
        <TextField {...fieldOf(session, 'negative_prompt')} label={l10n.t('Negative prompt')} />
        <div class="parameters-numbers">
          {numbers.map((field) => (
            <NumberField key={field} {...fieldOf(session, field)} {...numberLabels(field)} />
          ))}
          {ratios.length === 0 && (
            <NumberField
              {...fieldOf(session, 'aspect_ratio')}
              label={l10n.t('Aspect ratio')}
              hint={l10n.t('For example, 16:9')}
            />
          )}
        </div>
        <Upsampling session={session} />
        {notTaken.image !== undefined && <NotTakenInput session={session} />}
        {others.map((field) =>
          notTaken[field] === undefined ? (
            <InputImage key={field} session={session} field={field} label={inputLabel(field)} />
          ) : null,
        )}
      </div>
    </details>
  );
}

function numberLabels(field: (typeof numbers)[number]): { readonly label: string; readonly hint: string } {
  switch (field) {
    case 'batch_size':
      return { label: l10n.t('Images per request'), hint: l10n.t("Up to the model's limit") };
    case 'num_inference_steps':
      return { label: l10n.t('Steps'), hint: l10n.t('More steps take longer.') };
    case 'guidance_scale':
      return { label: l10n.t('Guidance'), hint: l10n.t('How closely the image follows the prompt.') };
    case 'cfg':
      return { label: l10n.t('CFG'), hint: l10n.t('Use 4 to render text with Qwen-Image.') };
    case 'safety_tolerance':
      return { label: l10n.t('Safety tolerance'), hint: l10n.t('0 is the strictest.') };
  }
}

function inputLabel(field: InputField): string {
  switch (field) {
    case 'image':
      return l10n.t('Input image');
    case 'image2':
      return l10n.t('Input image 2');
    case 'image3':
      return l10n.t('Input image 3');
    case 'input_image':
      return l10n.t('Image to edit');
  }
}

function Upsampling({ session }: { readonly session: ImagesSession }) {
  const { value, note, disabled, onInput } = fieldOf(session, 'prompt_upsampling');
  return (
    <ChoiceField
      label={l10n.t('Prompt enhancement')}
      value={value}
      choices={[
        { value: '', label: l10n.t('Default') },
        { value: 'on', label: l10n.t('On') },
        { value: 'off', label: l10n.t('Off') },
      ]}
      note={note}
      disabled={disabled}
      onChoose={onInput}
    />
  );
}

/** Says why the model takes none of the possible input images. */
function NotTakenInput({ session }: { readonly session: ImagesSession }) {
  const { notTaken } = session.typed.answer.value;
  const ones = inputFields.filter((field) => notTaken[field] !== undefined);
  return (
    <div class="parameter">
      <span class="parameter-label">{pageList(ones.map(inputLabel))}</span>
      <FieldNote id="not-taken-input" notTaken={notTaken.image} />
    </div>
  );
}

interface InputPictureProps {
  readonly session: ImagesSession;
  readonly field: InputField;
  readonly label: string;
}

/** An input image: chosen, dropped or pasted. */
function InputImage({ session, field, label }: InputPictureProps) {
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
      {value !== '' && <ProvidedImage session={session} value={value} />}
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

function ProvidedImage({ session, value }: { readonly session: ImagesSession; readonly value: string }) {
  const input = session.page.value?.inputs[value];
  if (!input) return <span class="images-input-facts">{l10n.t("The image isn't saved on this machine")}</span>;
  return (
    <>
      <img class="images-input-picture" src={input.uri} alt={l10n.t('Input image')} />
      <span class="images-input-facts">{input.facts}</span>
    </>
  );
}

/** Multiple seeds, sizes and prompts; one image is generated for each combination. */
function SeveralPanel({ session }: { readonly session: ImagesSession }) {
  const { isSeveral } = session.typed.form.value;
  return (
    <div class="images-several">
      <label class="check">
        <input
          type="checkbox"
          checked={isSeveral}
          aria-expanded={isSeveral}
          aria-controls={isSeveral ? 'several' : undefined}
          onChange={({ currentTarget }) => session.typed.edit({ isSeveral: currentTarget.checked })}
        />
        {l10n.t('Variations')}
      </label>
      {isSeveral && (
        <div class="images-several-body" id="several" role="group" aria-label={l10n.t('Variations')}>
          <Check session={session} name="eachLine" label={l10n.t('One image for each line of the prompt')} />
          <Check
            session={session}
            name="alternatives"
            label={l10n.t('Expand braces, such as a {red|green|blue} door')}
          />
          <Seeds session={session} />
          <Sizes session={session} />
        </div>
      )}
    </div>
  );
}

interface CheckProps {
  readonly session: ImagesSession;
  readonly name: 'eachLine' | 'alternatives';
  readonly label: string;
}

function Check({ session, name, label }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={session.typed.form.value[name]}
        onChange={({ currentTarget }) => session.typed.edit({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  );
}

function Seeds({ session }: { readonly session: ImagesSession }) {
  const { seeds, seedCount } = session.typed.form.value;
  const { issues } = session.typed.answer.value;
  return (
    <div class="images-seeds">
      <ChoiceField
        label={l10n.t('Seeds')}
        value={seeds}
        choices={[
          { value: 'one', label: l10n.t('Same seed') },
          { value: 'sequence', label: l10n.t('Consecutive seeds') },
          { value: 'random', label: l10n.t('Random seeds') },
        ]}
        onChoose={(value) => session.typed.edit({ seeds: value })}
      />
      {seeds !== 'one' && (
        <NumberField
          label={l10n.t('Number of seeds')}
          value={seedCount}
          placeholder="4"
          note={{ issue: issues.seedCount }}
          onInput={(value) => session.typed.edit({ seedCount: value })}
        />
      )}
    </div>
  );
}

function Sizes({ session }: { readonly session: ImagesSession }) {
  const id = useId();
  const { sizes: ticked } = session.typed.form.value;
  const { sizes, notTaken } = session.typed.answer.value;
  if (notTaken.image_size !== undefined) return null;
  const shown = [...sizes, ...ticked.filter((size) => !sizes.includes(size))];
  const toggle = (size: string) =>
    session.typed.edit({ sizes: shown.filter((one) => ticked.includes(one) !== (one === size)) });
  return (
    <div class="parameter" role="group" aria-labelledby={id}>
      <span class="parameter-label" id={id}>
        {l10n.t('Sizes')}
      </span>
      <div class="images-sizes">
        {shown.map((size) => (
          <ShapeButton key={size} text={size} isChosen={ticked.includes(size)} onChoose={() => toggle(size)} />
        ))}
      </div>
    </div>
  );
}
