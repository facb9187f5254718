import { useId } from 'preact/hooks';
import { ChoiceField, NumberField } from '../../components/parameterFields';
import type { Images } from './imagesContext';
import { ShapeButton } from './sizeField';

/** Multiple seeds, sizes and prompts; one image is generated for each combination. */
export function SeveralPanel({ images }: { readonly images: Images }) {
  const { session, strings } = images;
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
        {strings.several}
      </label>
      {isSeveral && (
        <div class="images-several-body" id="several" role="group" aria-label={strings.several}>
          <Check images={images} name="eachLine" label={strings.eachLine} />
          <Check images={images} name="alternatives" label={strings.alternatives} />
          <Seeds images={images} />
          <Sizes images={images} />
        </div>
      )}
    </div>
  );
}

interface CheckProps {
  readonly images: Images;
  readonly name: 'eachLine' | 'alternatives';
  readonly label: string;
}

function Check({ images: { session }, name, label }: CheckProps) {
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

function Seeds({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const { seeds, seedCount } = session.typed.form.value;
  const { issues } = session.typed.answer.value;
  return (
    <div class="images-seeds">
      <ChoiceField
        label={strings.seeds}
        value={seeds}
        choices={[
          { value: 'one', label: strings.seedsOne },
          { value: 'sequence', label: strings.seedsSequence },
          { value: 'random', label: strings.seedsRandom },
        ]}
        onChoose={(value) => session.typed.edit({ seeds: value })}
      />
      {seeds !== 'one' && (
        <NumberField
          label={strings.seedCount}
          value={seedCount}
          placeholder="4"
          note={{ issue: issues.seedCount }}
          onInput={(value) => session.typed.edit({ seedCount: value })}
        />
      )}
    </div>
  );
}

function Sizes({ images: { session, strings } }: { readonly images: Images }) {
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
        {strings.sizes}
      </span>
      <div class="images-sizes">
        {shown.map((size) => (
          <ShapeButton key={size} text={size} isChosen={ticked.includes(size)} onChoose={() => toggle(size)} />
        ))}
      </div>
    </div>
  );
}
