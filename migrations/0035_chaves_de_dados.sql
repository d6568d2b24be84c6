-- Keys that encrypted values of this database, by their id, and the root of its keyed hashes under each of them. Hashes outlive
-- a rotation: those of backup codes and the seals of the audit cannot be made anew.
create table chaves_de_dados (
  id text constraint chaves_de_dados__pk primary key,
  raiz_cifrada bytea not null,
  criada_em timestamptz not null
);

-- A case whose secret fields were only encrypted anew is the same person: it is not compared again. The statement that does it
-- says so (`set local vigia.recifrando`).
create or replace function lembrar_identidade_update() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('vigia.recifrando', true), '') = 'on' then
    return null;
  end if;
  insert into duplicidades_pendentes
  select d.id from depois d join antes a on a.id = d.id
  where (d.sigilo is not null or a.sigilo is not null)
    and (d.sigilo, d.excluido_em, d.data_notificacao, d.tipo_agravo, d.municipio_residencia, d.bairro_residencia, d.paciente_sexo)
      is distinct from (a.sigilo, a.excluido_em, a.data_notificacao, a.tipo_agravo, a.municipio_residencia, a.bairro_residencia,
        a.paciente_sexo);
  return null;
end $$;
