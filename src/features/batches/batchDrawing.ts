import type { BatchRow } from '../../services/batches/batches';
import type { RowDrawing } from '../../services/lists/listView';
import { batchDetails } from './batchDetails';
import { batchTooltip, toBatchItem } from './batchItem';

export const batchDrawing: RowDrawing<BatchRow> = {
  toItem: toBatchItem,
  tooltipOf: batchTooltip,
  detailsOf: batchDetails,
};
