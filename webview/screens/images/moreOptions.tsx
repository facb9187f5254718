import { inputFields } from '../../../src/protocol/images';
import type { ImageField, InputField } from '../../../src/protocol/images';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { FieldNote } from '../../components/parameter';
import { ChoiceField, NumberField, TextField } from '../../components/parameterFields';
import { fieldOf } from './fields';
import type { Images } from './imagesContext';
import { InputImage } from './inputImage';
import { pageList } from '../../components/pageLanguage';

const numbers = ['batch_size', 'num_inference_steps', 'guidance_scale', 'cfg', 'safety_tolerance'] as const;
const others = ['image2', 'image3', 'input_image'] as const satisfies readonly InputField[];
const inMore: readonly ImageField[] = [...numbers, 'negative_prompt', 'aspect_ratio', 'prompt_upsampling', ...others];

/** Options that only some models support. One that the current model is known not to support says so and keeps its value. */
export function MoreOptions({ images }: { readonly images: Images }) {
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
