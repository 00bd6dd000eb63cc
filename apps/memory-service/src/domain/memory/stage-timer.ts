/** Measures the stages of an operation: called at the end of each, in turn. */
export type StageTimer<Stage extends string> = (stage: Stage) => void;

/** Starts the measurement of one operation. */
export type StartStageTimer<Stage extends string> = () => StageTimer<Stage>;

/** Reading the message (gist, names, importance) · making its vectors · writing to disk and indexes. */
export type IngestStage = 'reading' | 'embedding' | 'journal';

/** Reading the question · making its vector · searching vectors · measuring evidence · fusion and context. */
export type RecallStage = 'reading' | 'embedding' | 'vector_search' | 'evidence' | 'scoring';
