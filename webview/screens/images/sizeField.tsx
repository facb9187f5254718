import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import { FieldNote } from '../../components/parameter';
import { fieldOf, noteOf } from './fields';
import type { ImagesSession } from './session';

/** The sizes the model is known to support, as shapes; any other can be typed. */
export function SizeField({ session }: { readonly session: ImagesSession }) {
  const id = useId();
  const { image_size, isSeveral, sizes: ticked } = session.typed.form.value;
  const { sizes } = session.typed.answer.value;
  const note = noteOf(session, 'image_size');
  const isMatrix = isSeveral && ticked.length > 0;
  return (
    <div class="parameter" role="group" aria-labelledby={`${id}-label`}>
      <span class="parameter-label" id={`${id}-label`}>
        {l10n.t('Size')}
      </span>
      <div class="images-sizes">
        {sizes.map((size) => (
          <ShapeButton
            key={size}
            text={size}
            isChosen={!isMatrix && image_size === size}
            onChoose={() => session.typed.edit({ image_size: image_size === size ? '' : size, sizes: [] })}
          />
        ))}
        <input
          class="parameter-input images-size-typed"
          type="text"
          autocomplete="off"
          spellcheck={false}
          aria-label={l10n.t('Custom size')}
          aria-invalid={note.issue !== undefined}
          aria-describedby={`${id}-note`}
          placeholder={l10n.t('e.g. 640x960')}
          value={sizes.includes(image_size) ? '' : image_size}
          onInput={({ currentTarget }) => session.typed.edit({ image_size: currentTarget.value, sizes: [] })}
        />
      </div>
      <span class="parameter-hint">
        {isMatrix
          ? l10n.t('Images are generated in each size selected below')
          : image_size === ''
            ? l10n.t('Default size')
            : ''}
      </span>
      <FieldNote id={`${id}-note`} {...note} />
    </div>
  );
}

/** For models that take an aspect ratio. */
export function RatioField({ session }: { readonly session: ImagesSession }) {
  const id = useId();
  const { aspect_ratio } = session.typed.form.value;
  const { ratios } = session.typed.answer.value;
  if (ratios.length === 0) return null;
  const { note } = fieldOf(session, 'aspect_ratio');
  return (
    <div class="parameter" role="group" aria-labelledby={`${id}-label`}>
      <span class="parameter-label" id={`${id}-label`}>
        {l10n.t('Aspect ratio')}
      </span>
      <div class="images-sizes">
        {ratios.map((ratio) => (
          <ShapeButton
            key={ratio}
            text={ratio}
            isChosen={aspect_ratio === ratio}
            onChoose={() => session.typed.edit({ aspect_ratio: aspect_ratio === ratio ? '' : ratio })}
          />
        ))}
      </div>
      <FieldNote id={`${id}-note`} {...note} />
    </div>
  );
}

interface ShapeButtonProps {
  /** `<width>x<height>` or `<width>:<height>`. */
  readonly text: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

export function ShapeButton({ text, isChosen, onChoose }: ShapeButtonProps) {
  return (
    <button type="button" class="images-shape" aria-pressed={isChosen} onClick={onChoose}>
      <Shape text={text} />
      {text.replace('x', ' × ')}
    </button>
  );
}

const shapePixels = 14;

/** A small rectangle with the aspect ratio in `text`. */
function Shape({ text }: { readonly text: string }) {
  const [width = 1, height = 1] = text.split(/[x:]/).map(Number);
  const scale = shapePixels / Math.max(width, height);
  return (
    <span class="images-shape-room" aria-hidden="true">
      <span class="images-shape-box" style={{ width: `${width * scale}px`, height: `${height * scale}px` }} />
    </span>
  );
}
