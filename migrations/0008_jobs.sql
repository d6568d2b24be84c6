-- Jobs and imports.

-- A job as its owner sees it.
create table jobs (
  id text constraint jobs__pk primary key,
  tipo text not null,
  status text not null default 'processing'
    constraint jobs__status__known check (status in ('processing', 'completed', 'failed', 'canceled')),
  progress smallint not null default 0 constraint jobs__progress__range check (progress between 0 and 100),
  message text not null,
  -- Key and parameters of `message`, for the other languages.
  mensagem jsonb,
  usuario_id integer constraint jobs__usuario_id__exists references usuarios on delete set null,
  usuario_nome text not null,
  -- Permissions the owner must hold when the job begins, when it stores and when its file is downloaded.
  permissoes text[] not null default '{}',
  parametros jsonb not null,
  resultado jsonb,
  -- The file it made, for its owner, until it expires.
  arquivo_id uuid constraint jobs__arquivo_id__exists references arquivos on delete set null,
  arquivo_nome text,
  arquivo_tipo text,
  arquivo_expira_em timestamptz,
  -- The file it read, kept for another job of its owner until it expires.
  entrada_id uuid constraint jobs__entrada_id__exists references arquivos on delete set null,
  entrada_expira_em timestamptz,
  created_at timestamptz not null,
  -- Last time a worker took it: accounts take turns.
  iniciado_em timestamptz,
  completed_at timestamptz
);
create index jobs__usuario on jobs (usuario_id, created_at desc);
create index jobs__turno on jobs (usuario_id, iniciado_em desc) where iniciado_em is not null;
create index jobs__completed_at on jobs (completed_at) where completed_at is not null;
create index jobs__entrada on jobs (entrada_id) where entrada_id is not null;
create index jobs__arquivo on jobs (arquivo_id) where arquivo_id is not null;

-- The queue: the worker that holds a job, its lease, its checkpoint (`ponto`).
create table jobs_fila (
  job_id text constraint jobs_fila__pk primary key
    constraint jobs_fila__job_id__exists references jobs on delete cascade,
  numero integer generated always as identity,
  trabalhador text,
  vence_em timestamptz,
  tentativas integer not null default 0,
  disponivel_em timestamptz not null default now(),
  cancelar boolean not null default false,
  -- The file it reads, deleted when the job is done.
  arquivo_id uuid constraint jobs_fila__arquivo_id__exists references arquivos on delete cascade,
  ponto jsonb
);
create index jobs_fila__disponivel_em on jobs_fila (disponivel_em);
create index jobs_fila__arquivo on jobs_fila (arquivo_id) where arquivo_id is not null;

create table importacoes (
  id integer generated always as identity constraint importacoes__pk primary key,
  job_id text,
  usuario_id integer,
  usuario_nome text not null,
  arquivo_nome text not null,
  arquivo_sha256 bytea not null,
  arquivo_tamanho bigint not null,
  formato text not null,
  layout text not null,
  tipo_agravo text,
  total_linhas integer not null,
  importados integer not null,
  atualizados integer not null,
  inalterados integer not null,
  duplicados_no_arquivo integer not null,
  erros integer not null,
  avisos integer not null,
  criado_em timestamptz not null,
  desfeita_em timestamptz,
  desfeita_por_nome text
);
create index importacoes__criado_em on importacoes (criado_em desc, id desc);
create index importacoes__arquivo on importacoes (arquivo_sha256);

-- Staging tables of imports under way; dropped when they are done.
create schema preparo;
