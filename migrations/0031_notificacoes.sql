-- Notifications of an account: what happened to it, or ended, while nobody looked.
create table notificacoes (
  id bigint generated always as identity not null,
  usuario_id integer not null,
  tipo text not null,
  job_id text,
  dados jsonb not null default '{}',
  criado_em timestamp with time zone not null,
  lida_em timestamp with time zone,
  constraint notificacoes__pk primary key (id),
  constraint notificacoes__usuario__exists foreign key (usuario_id) references usuarios (id) on delete cascade,
  constraint notificacoes__job__exists foreign key (job_id) references jobs (id) on delete cascade
);
create index notificacoes__usuario on notificacoes (usuario_id, id);
create index notificacoes__job on notificacoes (job_id) where job_id is not null;

-- Wakes the streams of the account.
create function avisar_notificacao() returns trigger language plpgsql as $$
begin
  perform pg_notify('notificacoes', new.usuario_id::text);
  return null;
end $$;
create trigger notificacoes_aviso after insert on notificacoes for each row execute function avisar_notificacao();

-- A job ends in several places: in its own transaction, by its worker, by one that finds it abandoned.
create function notificar_fim_do_job() returns trigger language plpgsql as $$
begin
  insert into notificacoes (usuario_id, tipo, job_id, criado_em)
  values (new.usuario_id, 'job', new.id, new.completed_at);
  return null;
end $$;
create trigger jobs_fim after update of status on jobs for each row
  when (old.status = 'processing' and new.status in ('completed', 'failed') and new.usuario_id is not null)
  execute function notificar_fim_do_job();
