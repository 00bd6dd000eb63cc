import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: './src/storage/tables/schema.ts', out: './migrations' });
